import { createLook, FRAME_SIDE, reducedSize, type Seen } from './look.ts';
import type { LookAnswer, LookRequest } from './messages.ts';

/** Analyses a video's current picture. One call at a time. */
export type Watcher = {
  /** Returns the result; rejects if this way does not work. */
  look: (video: HTMLVideoElement) => Promise<Seen>;
  close: () => void;
};

/**
 * Analyses in a worker; if that fails, on the page, for light and sharpness only.
 * @param ways to analyse, the best first; each is opened after the previous one failed
 */
export function openWatcher(ways: readonly (() => Watcher)[] = [watchInWorker, watchOnPage]): Watcher {
  const rest = [...ways];
  let closed = false;
  let current: Watcher | undefined;
  const look = async (video: HTMLVideoElement): Promise<Seen> => {
    try {
      current ??= rest[0]?.();
      if (!current) throw new Error('The picture of the camera cannot be looked at');
      return await current.look(video);
    } catch (error) {
      if (closed || rest.length <= 1) throw error;
      current?.close();
      current = undefined;
      rest.shift();
      return look(video);
    }
  };
  return {
    look,
    close: () => {
      closed = true;
      current?.close();
    },
  };
}

/** @throws Error if the browser has no workers or cannot draw in them */
export function watchInWorker(): Watcher {
  if (!('OffscreenCanvas' in globalThis)) throw new Error('This browser draws nothing in workers');
  const worker = new Worker(new URL('./look.worker.ts', import.meta.url), { name: 'camera' });
  let settle: { done: (seen: Seen) => void; fail: (error: Error) => void } | undefined;
  const fail = (why: string) => settle?.fail(new Error(why));
  worker.onmessage = ({ data }: MessageEvent<LookAnswer>) => settle?.done(data);
  worker.onerror = ({ message }) => fail(message || 'The worker did not start');
  return {
    look: async (video) => {
      const { width, height } = reducedSize(video);
      const frame = await createImageBitmap(video, { resizeWidth: width, resizeHeight: height });
      const answer = new Promise<Seen>((done, reject) => {
        settle = { done, fail: reject };
      });
      const request: LookRequest = { frame };
      worker.postMessage(request, [frame]);
      return answer;
    },
    close: () => {
      worker.terminate();
      fail('Closed');
    },
  };
}

/** Takes about a millisecond on the page. */
export function watchOnPage(): Watcher {
  const canvas = document.createElement('canvas');
  canvas.width = FRAME_SIDE;
  canvas.height = FRAME_SIDE;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const look = createLook();
  return {
    look: async (video) => {
      if (!context) throw new Error('This browser draws nothing');
      const size = reducedSize(video);
      context.drawImage(video, 0, 0, size.width, size.height);
      return look(context.getImageData(0, 0, FRAME_SIDE, FRAME_SIDE).data, size, null);
    },
    close: () => undefined,
  };
}
