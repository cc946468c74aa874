import { expect, expectAccessible, open, password, test } from '../fixtures';

test('the page from the server is taken over by the browser and reacts', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await open(page, '/sign-in');
  await expectAccessible(page);
  await page.getByLabel('E-mail').fill('member@demo.test');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await page.getByRole('button', { name: 'Switch theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page);
});

test('the page is whole without the browser’s part', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await context.close();
});
