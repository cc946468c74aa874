// Loads one page in a browser with an empty cache, signed in, and prints what it saw as one line of JSON: bytes and requests over the wire,
// largest paint, blocking time. The environment says what and how: BENCH_URL, BENCH_PATH, BENCH_COOKIE (`name=value`), BENCH_SLOW (set: 10
// Mbit/s, 40 ms, processor ÷ 4).
import { chromium } from '@playwright/test';

const { BENCH_URL, BENCH_PATH, BENCH_COOKIE, BENCH_SLOW, CONFAB_CHROMIUM } = process.env;
/** How long nothing may happen before a page counts as quiet, in ms. */
const QUIET = 1_500;

const browser = await chromium.launch({
  executablePath: CONFAB_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  for (const cookie of BENCH_COOKIE.split('; ')) {
    const [name, value] = [cookie.slice(0, cookie.indexOf('=')), cookie.slice(cookie.indexOf('=') + 1)];
    await context.addCookies([{ name, value, url: BENCH_URL }]);
  }
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  if (BENCH_SLOW) {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 40,
      downloadThroughput: 10_000_000 / 8,
      uploadThroughput: 10_000_000 / 8,
    });
  }

  const seen = watchNetwork(cdp);
  await page.addInitScript(() => {
    window.bench = { paint: 0, first: Infinity, tasks: [] };
    const watch = (type, see) => new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
    watch('largest-contentful-paint', (entry) => (window.bench.paint = entry.startTime));
    watch('paint', (entry) => {
      if (entry.name === 'first-contentful-paint') window.bench.first = entry.startTime;
    });
    watch('longtask', (entry) => window.bench.tasks.push([entry.startTime, entry.duration]));
  });

  const answer = await page.goto(BENCH_URL + BENCH_PATH, { waitUntil: 'domcontentloaded' });
  if (!answer?.ok()) throw new Error(`the page answered ${answer?.status()}`);
  if (new URL(page.url()).pathname !== BENCH_PATH.split('?')[0]) throw new Error(`the page led to ${page.url()}`);
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached', timeout: 30_000 });
  await page.getByRole('log', { name: 'Conversation' }).getByRole('article').first().waitFor({ timeout: 30_000 });
  await quiet(page, seen);

  const { paint, first, tasks } = await page.evaluate(() => window.bench);
  const blocking = tasks
    .map(([start, length]) => Math.max(0, Math.min(length, start + length - first) - 50))
    .reduce((sum, beyond) => sum + beyond, 0);
  console.log(
    JSON.stringify({
      bytes: seen.bytes(),
      requests: seen.requests.size,
      wasm_bytes: seen.wasm().bytes,
      wasm_encoding: seen.wasm().encoding,
      largest_paint: paint,
      blocking,
    }),
  );
} finally {
  await browser.close();
}

/** Bytes over the wire as the browser's network layer counts them: heads, and bodies as they were compressed. */
function watchNetwork(cdp) {
  const requests = new Map();
  const seen = {
    requests,
    last: Date.now(),
    bytes: () => [...requests.values()].reduce((sum, request) => sum + request.bytes, 0),
    wasm: () => [...requests.values()].find((request) => new URL(request.url).pathname.endsWith('.wasm')) ?? { bytes: 0 },
  };
  const touch = (id) => {
    seen.last = Date.now();
    return requests.get(id);
  };
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('data:')) return;
    touch(requestId);
    requests.set(requestId, { url: request.url, bytes: 0 });
  });
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    const request = touch(requestId);
    if (!request) return;
    request.encoding = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
    request.bytes = response.encodedDataLength;
  });
  // a stream that stays open has no end: its pieces are counted as they come
  cdp.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request && !request.ended) request.bytes += Math.max(0, encodedDataLength);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = touch(requestId);
    if (!request) return;
    request.ended = true;
    request.bytes = encodedDataLength;
  });
  return seen;
}

/** Waits until the network and the main thread have had nothing to do for a while. */
async function quiet(page, seen) {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const busy = await page.evaluate(() => {
      const last = window.bench.tasks.at(-1);
      return last ? performance.now() - (last[0] + last[1]) : Infinity;
    });
    if (Date.now() - seen.last > QUIET && busy > QUIET) return;
    await new Promise((next) => setTimeout(next, 100));
  }
}
