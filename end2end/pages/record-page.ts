import type { Locator, Page } from '@playwright/test';
import { open } from '../fixtures/open';

/** A record's page, by what people see on it. */
export class RecordPage {
  readonly history: Locator;
  readonly editor: Locator;
  readonly text: Locator;

  constructor(readonly page: Page) {
    this.history = page.getByRole('region', { name: 'History' });
    this.editor = page.getByRole('form', { name: 'Editor' });
    this.text = this.editor.getByRole('textbox', { name: 'Text in Markdown' });
  }

  async open(address: string) {
    await open(this.page, address);
    return this;
  }

  version(n: number) {
    return this.history.getByRole('listitem').filter({ hasText: new RegExp(`^Version ${n}\\D`) });
  }

  async edit() {
    await this.page.getByRole('button', { name: 'Edit', exact: true }).click();
  }

  async save() {
    await this.editor.getByRole('button', { name: 'Save' }).click();
  }
}
