import { hashedInputs } from './contents.ts';
import { agreement, sha256 } from '../testing/samples.ts';

describe('the certificate’s list of inputs', () => {
  it('has each image by its hash and source, also the eye photo that is not drawn, and the statement', async () => {
    const input = await agreement();
    const [first] = input.parties;
    const { name } = first!;
    const listed = hashedInputs({
      ...input,
      parties: [{ ...first!, face: { sha256: 'f'.repeat(64), source: 'live' }, signMethod: 'typed' }],
    });
    expect(listed).toContainEqual({ name, is: { faceSource: 'live' }, sha256: sha256(first!.photo) });
    expect(listed).toContainEqual({ name, is: { eyeSource: 'device' }, sha256: 'e'.repeat(64) });
    expect(listed).toContainEqual({ name, is: { signMethod: 'typed' }, sha256: sha256(first!.signature) });
    const statement = first!.approval!.statementSha256!;
    expect(listed).toContainEqual({ name, is: { statement }, sha256: statement });
  });
});
