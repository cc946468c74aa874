import { expect, expectAccessible, open, signIn, test } from '../fixtures';
import { Make, unique } from '../fixtures/make';
import { RecordPage } from '../pages/record-page';

const body = 'One.\n\n## Acceptance criteria\n\n1. first\n2. second\n3. third\n\n## Notes\n\nlast\n';

test('a project, an initiative, a plan and a bug are made by hand, each on its page', async ({ page }) => {
  await signIn(page);
  await open(page, '/');
  const project = unique('Project');
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByLabel('Name').fill(project);
  await page.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('heading', { level: 1, name: project })).toBeVisible();
  await expect(page.getByText('No initiatives yet.')).toBeVisible();

  for (const [kind, words] of [['initiative', 'Reach it'], ['plan', 'Do it'], ['bug', 'Mend it']]) {
    await page.getByRole('button', { name: `New ${kind}` }).click();
    await page.getByRole('dialog').getByLabel('Title').fill(words);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: words })).toBeVisible();
  }
  await expect(page).toHaveURL(/\/bugs\//);
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect(trail.getByRole('listitem')).toHaveText([project, 'Reach it', 'Do it', 'Mend it']);
  await trail.getByRole('link', { name: 'Do it' }).click();
  await expect(page.getByRole('region', { name: 'Bugs' })).toContainText('Mend it');
});

test('a board shows what happens elsewhere, without a reload', async ({ page, baseURL }) => {
  await signIn(page);
  const make = new Make(page, baseURL ?? '');
  const project = await make.project();
  const initiative = await make.record(project, 'initiative');
  await open(page, project.href);
  const card = page.getByRole('listitem').filter({ hasText: initiative.title });
  await expect(card).toContainText('No plans yet');
  const plan = await make.record(project, 'plan', { parent_id: initiative.id });
  await expect(card).toContainText('1 plan: 1 draft');
  await make.save(plan, 1, { status: 'ready' });
  await expect(card).toContainText('1 plan: 1 ready');
});

test('the editor saves, previews, and keeps what was not saved', async ({ page, baseURL }) => {
  await signIn(page);
  const plan = await new Make(page, baseURL ?? '').plan(body);
  const record = await new RecordPage(page).open(plan.href);
  await record.edit();
  await record.text.fill('A **bold** word');
  await expect(record.editor.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText('bold');
  await page.reload();
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
  await record.edit();
  await expect(record.editor).toContainText('your draft from before');
  await expect(record.text).toHaveValue('A **bold** word');
  await page.keyboard.press('Control+s');
  await expect(record.editor).toBeHidden();
  await expect(page.getByRole('article')).toHaveText('A bold word');
  await expect(record.version(2)).toContainText('Person');
  await record.edit();
  await expect(record.editor).not.toContainText('your draft from before');
});

test('two people’s changes to different lines are merged, and it is said', async ({ page, baseURL }) => {
  await signIn(page);
  const make = new Make(page, baseURL ?? '');
  const plan = await make.plan(body);
  const record = await new RecordPage(page).open(plan.href);
  await record.edit();
  await record.text.fill(body.replace('One.', 'Mine.'));
  await make.save(plan, 1, { body: body.replace('last', 'theirs') });
  await expect(record.editor).toContainText('Version 2 was saved meanwhile');
  await record.save();
  await expect(page.getByRole('status', { name: 'Notices' })).toContainText('merged');
  await expect(page.getByRole('article')).toContainText('Mine.');
  await expect(page.getByRole('article')).toContainText('theirs');
});

test('a conflict shows both sides, and the person finishes it', async ({ page, baseURL }) => {
  await signIn(page);
  const make = new Make(page, baseURL ?? '');
  const plan = await make.plan(body);
  const record = await new RecordPage(page).open(plan.href);
  await record.edit();
  await record.text.fill(body.replace('first', 'mine'));
  await make.save(plan, 1, { body: body.replace('first', 'theirs') });
  await record.save();
  const conflict = record.editor.getByRole('region', { name: 'Conflict' });
  await expect(conflict).toContainText('1 place is left to settle');
  await expect(conflict).toContainText('1. mine');
  await expect(conflict).toContainText('1. theirs');
  await expectAccessible(page);
  await record.save();
  await expect(record.editor.getByRole('alert').last()).toContainText('Settle');
  await conflict.getByRole('button', { name: 'Keep yours' }).click();
  await expect(conflict).toContainText('Nothing is left to settle');
  await record.save();
  await expect(record.editor).toBeHidden();
  await expect(page.getByRole('article')).toContainText('mine');
  await expect(record.version(3)).toBeVisible();
});

test('a status moves one step by its menu, with the keyboard alone', async ({ page, baseURL }) => {
  await signIn(page);
  const plan = await new Make(page, baseURL ?? '').plan(body);
  await open(page, plan.href);
  const status = page.getByRole('button', { name: /^Status: draft/i });
  await status.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(['Ready']);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(status).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Status: ready/i })).toBeVisible();
});

test('a viewer reads and changes nothing; what is not there is not found', async ({ page, baseURL, faults }) => {
  await signIn(page);
  const plan = await new Make(page, baseURL ?? '').plan(body);
  await signIn(page, 'viewer');
  const record = await new RecordPage(page).open(plan.href);
  await expect(page.getByRole('article')).toContainText('One.');
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeHidden();
  await expect(record.history.getByRole('button', { name: /Revert|Restore/ })).toHaveCount(0);
  faults.expect(/404/);
  for (const address of [`${plan.href}-x`, '/p/nothing', '/nothing/at/all']) {
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBe(404);
    await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  }
});

test('text of every kind breaks neither the page nor its layout', async ({ page, baseURL }) => {
  await signIn(page);
  const odd = [
    '</script><script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '</div></p></main><table><p>',
    '[x](javascript:alert(1)) ![x](https://evil.example/p.png?d=1)',
    'x'.repeat(10_000),
    'שלום CSV /export 123.',
    '# one\n\n###### six',
    '👨‍👩‍👧‍👦🇺🇸 e\u0301',
    `| ${'wide column |'.repeat(30)}\n|${'-|'.repeat(30)}\n| ${'cell |'.repeat(30)}`,
    '````md\n```\nx\n```\n````',
  ].join('\n\n');
  const make = new Make(page, baseURL ?? '');
  const plan = await make.plan(odd);
  await page.setViewportSize({ width: 400, height: 800 });
  await open(page, plan.href);
  await expect(page.getByRole('article')).toContainText('<img src=x onerror=alert(1)>');
  await expect(page.getByRole('article').getByRole('paragraph').filter({ hasText: 'שלום' })).toHaveCSS('direction', 'rtl');
  const wide = await page.evaluate(() => {
    const main = document.querySelector('main');
    return [document.documentElement.scrollWidth > innerWidth, main && main.scrollWidth > main.clientWidth];
  });
  expect(wide).toEqual([false, false]);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('form', { name: 'Editor' })).toBeVisible();
});

for (const [name, viewport] of [['wide', { width: 1440, height: 900 }], ['narrow', { width: 400, height: 860 }]] as const) {
  test(`pages are accessible, ${name}, light and dark`, async ({ page }) => {
    test.setTimeout(180_000);
    await signIn(page, 'admin');
    await page.setViewportSize(viewport);
    await open(page, '/');
    const project = await page.getByRole('main').getByRole('link', { name: 'Reporting' }).getAttribute('href');
    const addresses = ['/', `${project}`, `${project}/plans`, `${project}/bugs`, `${project}/plans/csv-download-button`, '/audit', '/settings/account'];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const address of addresses) {
        await open(page, address);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), address).toBe(true);
      }
    }
  });
}
