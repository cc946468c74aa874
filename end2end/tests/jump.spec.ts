import { expect, expectAccessible, open, signIn, test } from '../fixtures';

test('the palette leads anywhere by a few letters, with the keyboard alone', async ({ page }) => {
  await signIn(page);
  await open(page, '/');
  await page.keyboard.press('Control+k');
  const words = page.getByRole('combobox', { name: 'Jump to record or chat' });
  await expect(words).toBeFocused();
  await words.fill('download but');
  const hit = page.getByRole('option', { name: /CSV download button/ });
  await expect(hit).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'CSV download button' })).toBeVisible();

  await page.keyboard.press('Control+k');
  await words.fill('zzzz');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('Nothing is called “zzzz”');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});
