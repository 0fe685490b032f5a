/** Photos of known content in folders, some of which may be missing; subfolders are reported as well. */
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { row, type Measured, type Row } from '../lib/report.ts';
import { ours, type Answer, type Question } from './ask.ts';

/** The product's goals: the percentage of each folder that may or must be accepted. */
const CLASSES: readonly { folder: string; type: Question['type']; goal: Pick<Row, 'atLeast' | 'atMost'> }[] =
  [
    { folder: 'faces', type: 'faces', goal: { atLeast: 96 } },
    { folder: 'no-faces', type: 'faces', goal: { atMost: 1 } },
    { folder: 'eyes-open', type: 'eyes', goal: { atLeast: 97 } },
    { folder: 'eyes-closed', type: 'eyes', goal: { atMost: 1 } },
    { folder: 'no-eyes', type: 'eyes', goal: { atMost: 1 } },
    { folder: 'no-faces', type: 'eyes', goal: {} },
  ];
const ORDINARY = { group: 'faces/ordinary', goal: { atLeast: 99 } };
const PICTURES = /\.(jpe?g|png|webp|gif|bmp|tiff?|heic|heif|avif)$/i;

/** Returns the sorted paths of the pictures below a folder; none for a missing folder. */
export async function picturesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && PICTURES.test(entry.name));
  return files.map((entry) => join(entry.parentPath, entry.name)).sort();
}

const share = (answers: readonly Answer[]): number =>
  (100 * answers.filter(({ ok }) => ok).length) / answers.length;

const accepted = (
  what: string,
  answers: readonly Answer[],
  goal: Pick<Row, 'atLeast' | 'atMost'> = {},
): Row => row(`${what}: accepted`, share(answers), '%', { ...goal, note: `of ${answers.length}` });

/** @throws Error when there are no pictures */
export async function measureAccuracy(dir: string): Promise<Measured> {
  const rows: Row[] = [];
  const data: Record<string, unknown> = {};
  for (const { folder, type, goal } of CLASSES) {
    const name = `${folder}, asked for ${type}`;
    const photos = await picturesIn(join(dir, folder));
    const questions = photos.map((path) => ({ path, type }));
    if (photos.length === 0) continue;
    const answers = await ours(questions);
    rows.push(accepted(name, answers, goal));
    const groups = Object.groupBy(answers, (_, i) =>
      relative(dir, photos[i] ?? '')
        .split(sep)
        .slice(0, 2)
        .join('/'),
    );
    for (const [group, ofGroup = []] of Object.entries(groups)) {
      const ownGoal = group === ORDINARY.group ? ORDINARY.goal : {};
      if (!PICTURES.test(group)) rows.push(accepted(`${group}, asked for ${type}`, ofGroup, ownGoal));
    }
    const named = answers.map((answer, i) => ({ photo: relative(dir, photos[i] ?? ''), ...answer }));
    data[name] = named;
  }
  if (rows.length === 0)
    throw new Error(`${dir} has no pictures in ${CLASSES.map(({ folder }) => folder).join(', ')}`);
  return { rows, data };
}
