import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findModels, MANIFEST, MODEL_NAMES, pathsIn, sha256 } from './files.ts';

describe('the folder of models', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'models-'));
    const files: Record<string, string> = {};
    for (const name of MODEL_NAMES) {
      await writeFile(pathsIn(folder)[name], `model ${name}`);
      files[name] = sha256(Buffer.from(`model ${name}`));
    }
    await writeFile(join(folder, MANIFEST), JSON.stringify({ key: 'any', files }));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const refused = () =>
    expect(findModels(folder)).rejects.toThrow(
      `${folder} holds no complete set of models; \`npm run models\` makes one`,
    );

  it('is accepted if it is complete, whatever its source', async () => {
    expect(await findModels(folder)).toEqual(pathsIn(folder));
  });

  it('is refused when it does not exist', async () => {
    await expect(findModels(join(folder, 'nowhere'))).rejects.toThrow('holds no complete set of models');
  });

  it('is refused when a file is missing', async () => {
    await rm(pathsIn(folder).eye);
    await refused();
  });

  it('is refused when a file was changed', async () => {
    await writeFile(pathsIn(folder).landmark, 'model landmarK');
    await refused();
  });

  it('is refused when its manifest lacks a model or cannot be read', async () => {
    await writeFile(join(folder, MANIFEST), JSON.stringify({ key: 'any', files: {} }));
    await refused();
    await writeFile(join(folder, MANIFEST), '{');
    await refused();
  });
});
