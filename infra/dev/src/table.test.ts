import { frame, readyTable } from './table.ts';

describe('the table at the end of a start', () => {
  it('has lines of equal width', () => {
    const lines = frame('Title that is long', [
      ['a', 'b'],
      ['long name', 'value'],
    ])
      .trim()
      .split('\n');
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(lines[3]).toBe('│ a          b       │');
  });

  it('names the address, the demo accounts, the SMS inbox, the mailbox, the admin and the API', () => {
    const table = readyTable('http://localhost:8080', Date.now() - 7_250);
    for (const text of [
      'http://localhost:8080 ',
      '9000000001',
      '9000000002',
      'http://localhost:8080/admin/login  admin / karaar-admin',
      '/dev/sms',
      '/dev/mail',
      '/dev/whatsapp',
      '/api/docs',
      '7.3 s',
    ]) {
      expect(table).toContain(text);
    }
  });
});
