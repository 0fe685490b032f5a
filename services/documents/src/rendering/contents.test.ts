import { hashedInputs } from './contents.ts';
import { agreement } from './testing/samples.ts';

describe('the certificate’s list of inputs', () => {
  it('says of each photo by its hash whether it was taken live or uploaded, also of the eye photo that is not drawn', async () => {
    const input = await agreement();
    const [first] = input.parties;
    const eye = 'e'.repeat(64);
    const photos = {
      profile_pic: { sha256: 'f'.repeat(64), source: 'live' },
      eye: { sha256: eye, source: 'uploaded' },
    } as const;
    const listed = hashedInputs({ ...input, parties: [{ ...first!, photos }] });
    expect(listed).toContainEqual(
      expect.objectContaining({ name: first!.name, what: 'face photo taken live' }),
    );
    expect(listed).toContainEqual({ name: first!.name, what: 'eye photo uploaded', sha256: eye });
  });
});
