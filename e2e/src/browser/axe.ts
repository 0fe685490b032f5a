/** Looks at a page as axe does, with the rules of WCAG 2.2 A and AA. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  /** Rules whose outcome depends on colours or sizes: enough for the second look at a screen. */
  sight: { type: 'rule', values: ['color-contrast', 'target-size', 'link-in-text-block'] },
};

declare global {
  interface Window {
    axe?: {
      run: (
        context: Document,
        options: object,
      ) => Promise<{
        violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
        passes: unknown[];
      }>;
    };
  }
}

/**
 * The violations that axe finds, each as its rule, element and reason. Its script comes by the debugger, past the page's
 * policy.
 */
export async function axe(page: Page, rules: keyof typeof RULES): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (runOnly: object) => {
    if (!window.axe) throw new Error('axe is not on the page');
    const { violations, passes } = await window.axe.run(document, { runOnly });
    if (passes.length === 0) return ['axe looked at nothing'];
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id} ${html.slice(0, 160)} ${failureSummary?.slice(0, 200) ?? ''}`,
      ),
    );
  }, RULES[rules]);
}
