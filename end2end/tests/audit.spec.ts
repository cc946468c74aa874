import { expect, open, signIn, test } from '../fixtures';
import { Make } from '../fixtures/make';

test('the audit log is filtered by the address, exported, and leads to its subjects', async ({ page, baseURL }) => {
  await signIn(page, 'admin');
  const plan = await new Make(page, baseURL ?? '').plan('x\n');
  await open(page, '/audit');
  await page.getByLabel('Action').fill('record');
  await page.getByLabel('Made by').selectOption('people only');
  await page.getByLabel('Subject’s id').fill(plan.id);
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/action=record/);
  const rows = page.getByRole('region', { name: 'Audit log' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText('record.created');
  const csv = await page.request.get((await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '');
  expect(csv.headers()['content-type']).toContain('text/csv');
  expect((await csv.text()).trim().split('\n')).toHaveLength(2);
  const json = await page.request.get((await page.getByRole('link', { name: 'JSON' }).getAttribute('href')) ?? '');
  expect(json.ok()).toBe(true);
  await rows.last().getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: plan.title })).toBeVisible();
});

test('the audit log is for those who manage members', async ({ page, faults }) => {
  await signIn(page, 'member');
  faults.expect(/403/);
  const answer = await page.goto('/audit');
  expect(answer?.status()).toBe(403);
  await expect(page.getByRole('alert')).toContainText(/\w+.*\./);
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit' })).toHaveCount(0);
});

test('a token is made, shown once, works, and is revoked', async ({ page, playwright, baseURL }) => {
  await signIn(page);
  await open(page, '/settings/account');
  await page.getByText('New token').click();
  await page.getByLabel('Name', { exact: true }).fill('script');
  await page.getByRole('checkbox', { name: 'chat.use' }).uncheck();
  await page.getByRole('button', { name: 'Create token' }).click();
  const secret = await page.locator('.secret code').textContent();
  const api = await playwright.request.newContext({ baseURL, extraHTTPHeaders: { authorization: `Bearer ${secret}` } });
  const me = await (await api.get('/api/v1/me')).json();
  expect(me.scopes).toContain('records.read');
  expect(me.scopes).not.toContain('chat.use');
  await page.reload();
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
  await expect(page.getByRole('list', { name: 'Access tokens' })).toContainText('script');
  await expect(page.locator('.secret')).toBeHidden();
  await page.getByRole('button', { name: 'Revoke script' }).click();
  await expect(page.getByText('No tokens.')).toBeVisible();
  expect((await api.get('/api/v1/me')).status()).toBe(401);
});
