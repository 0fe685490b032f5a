import { report, type Measured, type Row } from './report.ts';

/** Measures and reports the parts that the command line names, or all. @throws Error that lists them for an unknown name */
export async function runParts(
  name: string,
  parts: Readonly<Record<string, () => Promise<Measured>>>,
  asked = process.argv.slice(2),
): Promise<void> {
  if (asked.some((part) => !(part in parts)))
    throw new Error(`Usage: npm run bench -- ${name} [PART…]\nParts: ${Object.keys(parts).join(', ')}`);
  const rows: Row[] = [];
  const data: Record<string, unknown> = {};
  for (const [part, measure] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(part)) continue;
    console.log(`${name}: ${part}`);
    const measured = await measure();
    rows.push(...measured.rows);
    data[part] = measured.data;
  }
  process.exitCode = report({ name: [name, ...asked].join('-'), rows, data });
}
