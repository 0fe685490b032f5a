import { seconds } from '@karaar/testing/machine/report';

/** Returns the table that `npm start` prints when everything runs. @param began time of the start */
export function readyTable(url: string, began: number): string {
  return frame(`Karaar is ready (${seconds(began)})`, [
    ['Open', url],
    ['Demo user', '+91 9000000001  Asha Rao     code: SMS inbox'],
    ['Demo user', '+91 9000000002  Vikram Shah  code: SMS inbox'],
    ['Admin', `${url}/admin/login  admin / karaar-admin`],
    ['SMS inbox', `${url}/dev/sms`],
    ['Mailbox', `${url}/dev/mail`],
    ['WhatsApp', `${url}/dev/whatsapp`],
    ['API docs', `${url}/api/docs`],
    ['Logs', '.karaar/logs'],
    ['Stop', 'Ctrl-C'],
  ]);
}

export function frame(title: string, rows: readonly (readonly [string, string])[]): string {
  const left = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(left)}  ${value}`);
  const width = Math.max(title.length, ...lines.map((line) => line.length));
  const rule = (from: string, to: string): string => `${from}${'─'.repeat(width + 2)}${to}`;
  const line = (text: string): string => `│ ${text.padEnd(width)} │`;
  return ['', rule('┌', '┐'), line(title), rule('├', '┤'), ...lines.map(line), rule('└', '┘'), ''].join('\n');
}
