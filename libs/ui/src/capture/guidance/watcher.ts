import { createLook, FRAME_SIDE, reducedSize, type Seen } from './look.ts';
import type { LookAnswer, LookRequest } from './messages.ts';

/** Looks at a video's current picture. Asked again only after it has answered. */
export type Watcher = {
  /** What is seen; rejects where this way of looking does not work. */
  look: (video: HTMLVideoElement) => Promise<Seen>;
  close: () => void;
};

/**
 * Looks in a worker; where that cannot be had or fails, on the page, by light and sharpness alone.
 * @param faces whether to look for faces
 * @param ways to look, the best first; each is opened when the one before has failed
 */
export function openWatcher(
  faces: boolean,
  ways: readonly ((faces: boolean) => Watcher)[] = [watchInWorker, watchOnPage],
): Watcher {
  const rest = [...ways];
  let closed = false;
  let current: Watcher | undefined;
  const look = async (video: HTMLVideoElement): Promise<Seen> => {
    try {
      current ??= rest[0]?.(faces);
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

/** @throws where the browser has no workers, or no way to draw in them */
export function watchInWorker(faces: boolean): Watcher {
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
      const request: LookRequest = { frame, faces };
      worker.postMessage(request, [frame]);
      return answer;
    },
    close: () => {
      worker.terminate();
      fail('Closed');
    },
  };
}

/** A millisecond of work on the page itself. */
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
