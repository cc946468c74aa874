import { expect, signIn, test } from '../fixtures';
import { Make } from '../fixtures/make';
import { RecordPage } from '../pages/record-page';

const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
const text = (change: Record<number, string> = {}) => lines.map((line, at) => change[at + 1] ?? line).join('\n\n') + '\n';

test('versions are compared, inline and side by side, any with any', async ({ page, baseURL }) => {
  await signIn(page);
  const make = new Make(page, baseURL ?? '');
  const plan = await make.plan(text());
  await make.save(plan, 1, { body: text({ 3: 'line three' }) });
  await make.save(plan, 2, { body: text({ 3: 'line three', 30: 'line thirty' }) });
  const record = await new RecordPage(page).open(plan.href);
  await expect(record.history.getByRole('listitem')).toHaveCount(3);
  await record.version(3).getByRole('button', { name: /Compare/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare versions' });
  await expect(dialog).toContainText('+1 −1');
  await expect(dialog.locator('mark').first()).toHaveText('30');
  await dialog.getByLabel('From').selectOption('version 1');
  await expect(dialog).toContainText('+2 −2');
  await dialog.getByRole('button', { name: 'Side by side' }).click();
  await expect(dialog.getByRole('row').filter({ hasText: 'line three' })).toContainText('line 3');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(record.version(3).getByRole('button', { name: /Compare/ })).toBeFocused();
});

test('a version is restored, one is reverted by one click, and one in part', async ({ page, baseURL }) => {
  await signIn(page);
  const make = new Make(page, baseURL ?? '');
  const plan = await make.plan(text());
  await make.save(plan, 1, { body: text({ 3: 'line three', 30: 'line thirty' }) });
  const record = await new RecordPage(page).open(plan.href);
  const article = page.getByRole('article');

  await record.version(2).getByRole('button', { name: /Compare/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare versions' });
  await dialog.getByRole('checkbox', { name: 'Change 2 of 2' }).uncheck();
  await dialog.getByRole('button', { name: 'Revert chosen changes' }).click();
  await expect(dialog).toBeHidden();
  await expect(record.version(3)).toContainText('Restore');
  await expect(article).not.toContainText('line three');
  await expect(article).toContainText('line thirty');

  await record.version(2).getByRole('button', { name: 'Restore version 2' }).click();
  await expect(record.version(4)).toBeVisible();
  await expect(article).toContainText('line three');

  await record.version(4).getByRole('button', { name: 'Revert version 4' }).click();
  await expect(record.version(5)).toBeVisible();
  await expect(article).not.toContainText('line three');
  await expect(article).toContainText('line thirty');
});

test('a long history is shown in pages', async ({ page, baseURL }) => {
  await signIn(page);
  const make = new Make(page, baseURL ?? '');
  const plan = await make.plan(text());
  for (let version = 1; version < 26; version += 1) await make.save(plan, version, { body: text({ 1: `change ${version}` }) });
  const record = await new RecordPage(page).open(plan.href);
  await expect(record.history.getByRole('listitem')).toHaveCount(20);
  await record.history.getByRole('button', { name: 'Show older versions' }).click();
  await expect(record.history.getByRole('listitem')).toHaveCount(26);
  await expect(record.history.getByRole('button', { name: 'Show older versions' })).toBeHidden();
});
