/** An upload may last as long as it progresses: a phone on a slow network sends 50 MB for minutes. */
import { jest } from '@jest/globals';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { toastText } from './api-error.ts';
import { call } from './call.ts';
import { connection } from './connection.ts';

/** The parts of an XMLHttpRequest that an upload needs; the test plays the network. */
class FakeXhr extends EventTarget {
  static last: FakeXhr;
  upload = new EventTarget();
  status = 0;
  responseText = '';
  constructor() {
    super();
    FakeXhr.last = this;
  }
  open = jest.fn();
  setRequestHeader = jest.fn();
  send = jest.fn();
  getResponseHeader = () => null;
  abort = () => this.dispatchEvent(new Event('abort'));
  moves = (loaded: number) =>
    this.upload.dispatchEvent(
      Object.assign(new Event('progress'), { lengthComputable: true, loaded, total: 100 }),
    );
}

const storage = { getItem: () => 't1' };
beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { XMLHttpRequest: FakeXhr, localStorage: storage, window: new EventTarget() });
});
afterEach(() => jest.useRealTimers());

/** Starts the upload of a file; `ended` is the result for the caller. */
function upload() {
  const ended = jest.fn<(result: unknown) => void>();
  const file = new File(['x'], 'lease.pdf');
  call(documentsRoutes.finalize, {
    params: { id: 'd1' },
    fields: {},
    files: { final_documents: [file] },
  }).then(ended, ended);
  return ended;
}
const minutes = (count: number) => jest.advanceTimersByTimeAsync(count * 60_000);

describe('a call with files', () => {
  it('waits while they progress, and then for the response', async () => {
    const ended = upload();
    for (let part = 10; part <= 100; part += 10) {
      await minutes(0.9);
      FakeXhr.last.moves(part);
    }
    await minutes(0.9);
    expect(ended).not.toHaveBeenCalled();
    Object.assign(FakeXhr.last, { status: 200, responseText: '{"status":"finalized"}' });
    FakeXhr.last.dispatchEvent(new Event('load'));
    await minutes(0);
    expect(ended).toHaveBeenCalledWith({ status: 'finalized' });
  });

  it('fails if nothing progresses', async () => {
    const ended = upload();
    FakeXhr.last.moves(10);
    await minutes(1.1);
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ status: 0 }));
  });

  it('names a file that was changed or deleted after it was chosen, and does not blame the network', async () => {
    const ended = jest.fn<(result: unknown) => void>();
    // Fails like a read of the browser from the disk.
    const read = jest.spyOn(Blob.prototype, 'slice').mockImplementation(
      () =>
        ({
          arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')),
        }) as Blob,
    );
    const files = { final_documents: [new File(['x'], 'lease.pdf')] };
    const send = () =>
      call(documentsRoutes.finalize, { params: { id: 'd1' }, fields: {}, files }).then(ended, ended);
    for (let time = 0; time < 3; time += 1) {
      const sent = send();
      await minutes(0);
      FakeXhr.last.dispatchEvent(new Event('error'));
      await sent;
    }
    read.mockRestore();
    const [error] = ended.mock.calls[0] ?? [];
    expect(toastText(error, 'Registration failed')).toBe(
      'lease.pdf can no longer be read: it was changed, moved or deleted after you chose it. Choose it again.',
    );
    expect(connection.isOnline()).toBe(true);
  });

  it('is not sent if it was aborted before', async () => {
    const before = FakeXhr.last;
    const files = { final_documents: [new File(['x'], 'lease.pdf')] };
    const given = call(
      documentsRoutes.finalize,
      { params: { id: 'd1' }, fields: {}, files },
      { signal: AbortSignal.abort() },
    );
    await expect(given).rejects.toMatchObject({ name: 'ApiError', status: 0 });
    expect(FakeXhr.last).toBe(before);
  });
});
