/**
 * Browsers' sockets in a process of their own: opened with the tokens that it gets, they acknowledge messages as pages
 * do, and tell the parent of each message at once. The protocol of socket.io by hand: thousands of whole clients would
 * measure themselves.
 */
export type Order = { url: string; tokens: string[]; atOnce: number };
export type Told = { kind: 'open'; count: number } | { kind: 'got'; content: string } | { kind: 'closed' };

type NewMessage = { message: { content: string; seq: number; sender_id: string; receiver_id: string } };

const tell = (told: Told) => process.send?.(told);

function open(url: string, token: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const me = (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string })
    .sub;
  return new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error('a socket was not opened'));
    socket.onclose = () => tell({ kind: 'closed' });
    socket.onmessage = ({ data }) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send(`40${JSON.stringify({ token })}`);
      else if (text === '2') socket.send('3');
      else if (text.startsWith('40')) resolve();
      else if (text.startsWith('44')) reject(new Error(`refused: ${text}`));
      else if (text.startsWith('42["message.new"')) {
        const [, { message }] = JSON.parse(text.slice(2)) as [string, NewMessage];
        if (message.receiver_id !== me) return;
        tell({ kind: 'got', content: message.content });
        socket.send(
          `42${JSON.stringify(['delivered', { from: message.sender_id, up_to_seq: message.seq }])}`,
        );
      }
    };
  });
}

process.on('message', ({ url, tokens, atOnce }: Order) => {
  const queue = [...tokens];
  const work = async () => {
    for (let token = queue.pop(); token; token = queue.pop()) await open(url, token);
  };
  Promise.all(Array.from({ length: atOnce }, work)).then(
    () => tell({ kind: 'open', count: tokens.length }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
