// Says the totals of Playwright's JSON report in one line: "N passed, N failed".
import { readFileSync } from 'node:fs';

try {
  const { stats, errors } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  const failed = stats.unexpected + stats.flaky + errors.length;
  console.log(`${stats.expected} passed, ${failed} failed` + (stats.skipped ? `, ${stats.skipped} skipped` : ''));
} catch (error) {
  console.log(`browser tests left no report: ${error.message}`);
  console.log('0 passed, 1 failed');
}
