import { displayName } from './spool.ts';

it.each([
  ['Lease\u200b.pdf', 'Lease.pdf'],
  ['\u3164.pdf', '.pdf'],
  ['\u2800\u00ad.docx', '.docx'],
  ['\u3164', 'file'],
  ['', 'file'],
  ['..', '..'],
  ['C:\\Users\\Asha\\किराया क्\u200dष.pdf', 'किराया क्\u200dष.pdf'],
  ['fdp.\u202eexe', 'fdp.exe'],
])('shows the file name "%s" as "%s"', (given, shown) => {
  expect(displayName(given)).toBe(shown);
});
