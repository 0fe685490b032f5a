import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as core from 'axe-core';
import type { Page } from 'puppeteer-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  /** Rules that depend on colours or sizes: enough for the second look at a screen. */
  sight: { type: 'rule', values: ['color-contrast', 'target-size', 'link-in-text-block'] },
} satisfies Record<string, core.RunOptions['runOnly']>;

declare global {
  interface Window {
    axe?: Pick<typeof core, 'run'>;
  }
}

/** Returns the violations of WCAG 2.2 A and AA that axe finds, each with its rule, element and reason. */
export async function axe(page: Page, rules: keyof typeof RULES): Promise<string[]> {
  // The debugger evaluates the script, so the content security policy does not apply.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (runOnly: core.RunOptions['runOnly']) => {
    if (!window.axe) throw new Error('axe is not on the page');
    const { violations, passes } = await window.axe.run(document, runOnly ? { runOnly } : {});
    if (passes.length === 0) return ['axe looked at nothing'];
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id} ${html.slice(0, 160)} ${failureSummary?.slice(0, 200) ?? ''}`,
      ),
    );
  }, RULES[rules]);
}
