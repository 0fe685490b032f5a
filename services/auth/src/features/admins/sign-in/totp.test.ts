import { generate } from 'otplib';
import { newRecoveryCodes, newTotpSecret, recoveryDigest, totpStep } from './totp.ts';

const inHindi = (digits: string): string =>
  digits.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0x966 + Number(digit)));

it('a code of the app is accepted as the app shows it, and in digits of any script', async () => {
  const secret = newTotpSecret();
  const code = await generate({ secret });
  for (const typed of [code, `${code.slice(0, 3)} ${code.slice(3)}`, inHindi(code), `${code}\n`])
    expect([typed, await totpStep(secret, typed, 0)]).toEqual([typed, expect.any(Number)]);
  expect(await totpStep(secret, `${code}1`, 0)).toBeUndefined();
});

it('a recovery code is accepted in any spelling', () => {
  const digest = (code: string) => recoveryDigest(Buffer.from('pepper'), 'admin', code);
  const right = digest('7K3QM-10D2A');
  for (const typed of ['7k3qm10d2a', '7K3QM 10D2A', '7K3QM–LOD2A', '७K३QM-१०D२A', '７Ｋ３ＱＭ−１０Ｄ２Ａ\n'])
    expect([typed, digest(typed)]).toEqual([typed, right]);
  expect(digest('7K3QM-10D2B')).not.toBe(right);
  expect(new Set(newRecoveryCodes().map(digest)).size).toBe(10);
});
