import { expect, expectAccessible, open, picture, signIn, test } from '../fixtures';

const plan = '/p/reporting/plans/csv-download-button';
const initiative = '/p/reporting/initiatives/csv-export-on-the-reporting-page';

test('a typo is fixed in a chat, seen elsewhere at once, and taken back', async ({ page, another }) => {
  await signIn(page);
  await open(page, plan);
  const other = await (await another()).newPage();
  await signIn(other);
  await open(other, plan);
  await expect(other.getByText('A click starts the Downlaod')).toBeVisible();

  await page.getByRole('button', { name: 'Open chat' }).click();
  const drawer = page.getByRole('complementary', { name: 'Chat' });
  const message = drawer.getByRole('textbox', { name: 'Message' });
  await message.fill('Fix the typo on the third acceptance criterion. "Downlaod" should be "download."');
  await expect(drawer.getByRole('button', { name: 'Send' })).toBeEnabled();
  await message.press('Enter');

  const edit = drawer.locator('[data-tool="Edit"]');
  await expect(edit).toHaveAttribute('data-state', 'success');
  const card = edit.getByRole('button', { name: /^Edit/ });
  await expect(card).toHaveAttribute('aria-expanded', 'false');
  await card.click();
  await expect(edit.locator('mark').first()).toHaveText('Downlaod');
  await expect(edit.locator('mark').last()).toHaveText('download');
  await expect(drawer.getByText('confab-demo-1')).toBeVisible();
  await expect(drawer.getByRole('group', { name: 'Changes' })).toContainText('version 2');
  await expectAccessible(page);
  await picture(page, 'plan-with-chat');

  // the other browser did nothing
  await expect(other.getByText('A click starts the download')).toBeVisible();

  const history = page.getByRole('region', { name: 'History' });
  await expect(history).toContainText('AI');
  await expect(history).toContainText('Planner');
});

test('three plans are drafted, and the board counts them', async ({ page, another }) => {
  await signIn(page);
  const board = await (await another()).newPage();
  await signIn(board);
  await open(board, '/p/reporting');
  const card = board.getByRole('listitem').filter({ hasText: 'CSV export on the reporting page' });
  await expect(card).toContainText('1 plan');

  await open(page, initiative);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const drawer = page.getByRole('complementary', { name: 'Chat' });
  const message = drawer.getByRole('textbox', { name: 'Message' });
  await message.fill(
    'Draft three plans for this initiative based on the spec. One for the server endpoint, one for the download button, ' +
      'one for verification against five customer fixtures.',
  );
  await expect(drawer.getByRole('button', { name: 'Send' })).toBeEnabled();
  await message.press('Enter');
  await expect(drawer.locator('[data-tool="Write"][data-state="success"]')).toHaveCount(3);
  await expect(drawer.getByRole('group', { name: 'Changes' })).toContainText('Server endpoint');
  await expect(card).toContainText('4 plans');
});
