import { expect, expectAccessible, open, test } from '../fixtures';

test('the page from the server is taken over by the browser and reacts', async ({ page }) => {
  await open(page, '/');
  await page.getByRole('button', { name: 'Pressed 0 times' }).click();
  await expect(page.getByRole('button', { name: 'Pressed 1 times' })).toBeVisible();
  await expectAccessible(page);
});

test('the page is whole without the browser’s part', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Confab' })).toBeVisible();
  await context.close();
});
