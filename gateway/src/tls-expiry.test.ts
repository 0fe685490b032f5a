import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registry } from '@karaar/observability/telemetry';
import { showTlsExpiry } from './tls-expiry.ts';

// Two self-signed certificates for karaar.example without their keys, with different expiry dates.
const FIRST = `-----BEGIN CERTIFICATE-----
MIIBhzCCAS2gAwIBAgIUTHuDGJwhRgoQTpnyeBMHnr+sCVcwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOa2FyYWFyLmV4YW1wbGUwHhcNMjYxMTIxMTMzNTU3WhcNMzAx
MTIwMTMzNTU3WjAZMRcwFQYDVQQDDA5rYXJhYXIuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABAYnugl8u7rl06M4gGLJaTLf2/ONBVisXPRuQW9crUqU
Cef7D8sTZBeA+o4ZE7NEsL+qtk4TvO9OlqAV3FfEycejUzBRMB0GA1UdDgQWBBQf
jQ9J5PCJM7qL46H6Xop/OjDR6TAfBgNVHSMEGDAWgBQfjQ9J5PCJM7qL46H6Xop/
OjDR6TAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQC2u1DJyuvw
HeSPxpClx9htFa5D9a/MjE8TujP/28VFYQIgA2K0Oi5Mg53cFA3pyy2jRtjfozHZ
aZtM3R69lB9TuNk=
-----END CERTIFICATE-----
`;
const RENEWED = `-----BEGIN CERTIFICATE-----
MIIBhzCCAS2gAwIBAgIUHFF6i7yCyNIg1djzloAJZP209x4wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOa2FyYWFyLmV4YW1wbGUwHhcNMjYxMTIxMTMzNTU3WhcNMzEx
MTIwMTMzNTU3WjAZMRcwFQYDVQQDDA5rYXJhYXIuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABLOURJBGy5TQPGhquet7bL3G3g8OAInYMK+Icb5aBDKM
QO1ZCBF6iG83WmdrJL2TMO/d5j4keMWXc1n0khA6D7+jUzBRMB0GA1UdDgQWBBQ8
hfHAk0qXhPGCAY72LFEqLiWQJjAfBgNVHSMEGDAWgBQ8hfHAk0qXhPGCAY72LFEq
LiWQJjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQDteEIxq7V+
TT+YAZWRVBSI7SIlsIUY7OLUn0+LtVLWawIgMBvu9ESRtC1qqo6mE3VJsTaYPYN/
IYtAVf99URNdvQA=
-----END CERTIFICATE-----
`;

const shown = async (): Promise<number | undefined> =>
  (await registry.getSingleMetric('gateway_tls_certificate_expires_at_seconds')?.get())?.values[0]?.value;

it('follows the file: a chain, a renewed certificate, a missing file, and a file that is not a certificate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-tls-'));
  const file = join(folder, 'tls.crt');
  const warned: string[] = [];
  const put = async (text: string) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  try {
    showTlsExpiry(file, { warn: (facts: object) => void warned.push(JSON.stringify(facts)) });
    expect(await shown()).toBeUndefined();
    expect(await shown()).toBeUndefined();
    expect(warned).toHaveLength(1);

    await put(FIRST + RENEWED);
    expect(await shown()).toBe(Date.parse('2030-11-20T13:35:57Z') / 1000);
    await put(RENEWED);
    expect(await shown()).toBe(Date.parse('2031-11-20T13:35:57Z') / 1000);

    await put('-----BEGIN CERTIFICATE-----\nnot one\n-----END CERTIFICATE-----\n');
    expect(await shown()).toBeUndefined();
    expect(warned).toHaveLength(2);
    await put(FIRST);
    expect(await shown()).toBeDefined();
    expect(warned).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
