import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_LOG } from '@karaar/testing/backing/postgres-log';
import { cloneRoot } from '@karaar/testing/roots';
import { parseAllDocuments } from 'yaml';

type Cluster = { kind: string; spec: { postgresql: { parameters: Record<string, string> } } };

it("the cluster keeps values out of PostgreSQL's log", () => {
  const text = readFileSync(join(cloneRoot, 'infra/k8s/components/state/postgres.yaml'), 'utf8');
  const clusters = parseAllDocuments(text)
    .map((document) => document.toJS() as Cluster)
    .filter(({ kind }) => kind === 'Cluster');
  expect(clusters).toHaveLength(1);
  for (const { spec } of clusters) expect(spec.postgresql.parameters).toMatchObject(PRIVATE_LOG);
});
