/** The stored details of where a session was opened: enough for its owner to recognise it, and no more. */
import { isIP } from 'node:net';
import Bowser from 'bowser';

const LONGEST = 80;

/** `Chrome on Android` from a User-Agent; empty when it is unknown. */
export function deviceOf(userAgent: string | undefined): string {
  if (!userAgent) return '';
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const name = [browser.name, os.name].filter(Boolean).join(' on ');
  return name.slice(0, LONGEST);
}

/** The part of an address that counts as one client: of IPv6 the half that a household or an office is given. */
export function addressOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const missing = tail === undefined ? 0 : 8 - first.length - last.length;
  const all = [...first, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...last];
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** The first half of an address: `103.21.x.x`, `2401:4900::`. Half an address is a provider's region, not a person. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(plain) === 4) return `${plain.split('.').slice(0, 2).join('.')}.x.x`;
  if (isIP(plain) === 6) {
    const [first = '', second = ''] = plain.split(':');
    return first === '' ? '::' : `${first}:${second || '0'}::`;
  }
  return '';
}
