/** What holds for the whole repository and no compiler sees. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import longTests from './long-tests.json' with { type: 'json' };
import { judgeRepository, testFiles } from './conformance-repository.ts';
import { readTests } from './test-titles.ts';
import { root, sourceFiles, textOf } from './testing/source-files.ts';

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const code = sourceFiles('*.ts', '*.tsx');

describe('files', () => {
  const MAX_LINES = 400;

  it(`have at most ${MAX_LINES} lines outside tests: one idea each`, () => {
    expect(code.length).toBeGreaterThan(300);
    const long = code
      .filter((path) => !isTest(path))
      .map((path) => ({ path, lines: textOf(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('keep routes within 200 lines, presenters of one shape within a page', () => {
    const lines = (path: string) => textOf(path).split('\n').length - 1;
    expect(code.filter((path) => path.endsWith('.routes.ts') && lines(path) > 200)).toEqual([]);
    expect(code.filter((path) => path.endsWith('.service.ts') && lines(path) > 300)).toEqual([]);
  });

  it('let the gateway be read in an hour: at most 2,000 lines', () => {
    const gateway = code.filter((path) => path.startsWith('gateway/src/') && !isTest(path));
    expect(gateway.length).toBeGreaterThan(20);
    expect(gateway.reduce((sum, path) => sum + textOf(path).split('\n').length - 1, 0)).toBeLessThanOrEqual(
      2_000,
    );
  });
});

describe('what helps tests', () => {
  it('lies in a folder named testing, or beside the tests in test/', () => {
    const OTHERS = /(^|\/)(test-support|test-helpers|test-utils|support|helpers|fixtures|mocks|__\w+__)\//;
    expect(code.filter((path) => OTHERS.test(path))).toEqual([]);
  });
});

describe('the tests that are begun first', () => {
  it('are there', () => {
    expect(Object.keys(longTests).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('conformance', () => {
  const { rows, faults } = judgeRepository();

  it('has rows of the specification', () => {
    expect(rows.length).toBeGreaterThan(600);
  });

  it('has a test for each row at the level at which it is seen', () => {
    expect(rows.filter(({ lacks }) => lacks.length > 0).map(({ id, lacks }) => [id, lacks])).toEqual([]);
  });

  it('has no title and no level that names nothing', () => {
    expect(faults).toEqual([]);
  });
});

describe('tests', () => {
  it('are all run: none is switched off, alone, or there on some machines only', () => {
    const vanishing = testFiles().flatMap(({ path, source }) =>
      readTests(source, path).vanishing.map(({ line, how }) => `${path}:${line} ${how}`),
    );
    expect(vanishing).toEqual([]);
  });

  it('are there: a project without any fails', () => {
    const lenient = sourceFiles('package.json', '*/package.json', '*.mjs', '*.sh', '.ci/*').filter((path) =>
      textOf(path).includes('passWithNo' + 'Tests'),
    );
    expect(lenient).toEqual([]);
  });
});

describe('every service', () => {
  const HEADINGS = ['What it owns', 'Endpoints', 'Events in and out', 'Failure modes', 'Configuration'];
  const services = readdirSync(join(root, 'services'));

  it.each(services)('%s says in its README what others need to know', (service) => {
    const readme = `services/${service}/README.md`;
    expect({ [readme]: existsSync(join(root, readme)) }).toEqual({ [readme]: true });
    const headings = [...textOf(readme).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    // In this order; a service may say more between them.
    expect(headings.filter((heading) => HEADINGS.includes(heading ?? ''))).toEqual(HEADINGS);
  });

  it('has the files in which a reader looks first', () => {
    const missing = services.flatMap((service) =>
      ['src/main.ts', 'src/app.ts', 'src/config.ts', 'src/context.ts', 'package.json', 'tsconfig.json']
        .map((file) => `services/${service}/${file}`)
        .filter((path) => !existsSync(join(root, path))),
    );
    expect(missing).toEqual([]);
  });
});

describe('the environment', () => {
  /** Programs for people and machines of developers, and what tests need. */
  const OUTSIDE = /^(infra|tools|bench|e2e)\/|^libs\/testing\/|(^|\/)(test|testing|scripts)\/|(^|\/)cli\.ts$/;
  /** A process reads it once, here. */
  const CONFIG = /(^|\/)(config|main)\.ts$|^libs\/platform\/src\/config\//;
  /** Single places with a reason. */
  const EXCEPTIONS: Record<string, string> = {
    'libs/platform/src/http-kit/apps/serve.ts': 'hands it to the service that reads its configuration',
    'libs/platform/src/service/index.ts':
      'the whole of a migration job, which has no configuration of its own',
    'libs/platform/src/http-kit/input/spool-dir.ts':
      'the folder of uploads, needed before any service exists',
    'libs/platform/src/bus/bus.ts': 'the default of an option that services may set',
  };
  /** What is read: all of it or a variable, except the search path that a child process is given. */
  const reads = (text: string): boolean => /from 'node:process'|process\.env(?!\[?\.?['"]?PATH\b)/.test(text);
  const readers = code.filter((path) => !isTest(path) && reads(textOf(path)));

  it('is read in configuration and start-up only', () => {
    const stray = readers.filter(
      (path) => !OUTSIDE.test(path) && !CONFIG.test(path) && EXCEPTIONS[path] === undefined,
    );
    expect(stray).toEqual([]);
  });

  it('has no exception that is none any more', () => {
    expect(Object.keys(EXCEPTIONS).filter((path) => !readers.includes(path))).toEqual([]);
  });
});
