import { expect, open, signIn, test } from '../fixtures';
import { password } from '../fixtures/sign-in';

test('a stranger is led to the sign-in and back to the page asked for', async ({ page }) => {
  await page.goto('/settings/account?x=1');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
  await page.getByLabel('E-mail').fill('member@demo.test');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/settings\/account\?x=1$/);
  await expect(page.getByText('member@demo.test')).toBeVisible();
});

test('a wrong password is refused with a sentence, and the next attempt works', async ({ page, faults }) => {
  faults.expect(/401/);
  await open(page, '/sign-in');
  await page.getByLabel('E-mail').fill('member@demo.test');
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText(/\w+.*\.$/);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible();
});

test('the way back never leaves this site', async ({ page, baseURL }) => {
  await open(page, '/sign-in?next=//evil.example/x');
  await page.getByLabel('E-mail').fill('member@demo.test');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible();
  expect(new URL(page.url()).origin).toBe(new URL(baseURL ?? '').origin);
});

test('signing in and reading work without the browser’s part', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/sign-in?next=/settings/account');
  await page.getByLabel('E-mail').fill('member@demo.test');
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText(/\w+.*\.$/);
  await page.getByLabel('E-mail').fill('member@demo.test');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('member@demo.test')).toBeVisible();
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Reporting' }).click();
  await page.getByRole('link', { name: 'CSV export on the reporting page' }).click();
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Person');
  await context.close();
});

test('signing out ends the session', async ({ page }) => {
  await signIn(page);
  await open(page, '/');
  await page.getByRole('button', { name: /: account$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goto('/');
  await expect(page).toHaveURL(/\/sign-in$/);
});
