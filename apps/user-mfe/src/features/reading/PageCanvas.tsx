import { useEffect, useRef } from 'react';
import { pdfjs } from 'react-pdf';
import type { LoadedPage } from './PageWords.tsx';

type PageCanvasProps = {
  page: LoadedPage;
  width: number;
  label: string;
  /** The canvas of a page that left the view, for the next page. */
  spare: HTMLCanvasElement[];
  /** @param isWhole false if a picture on the page could not be decoded */
  onDrawn: (isWhole: boolean) => void;
  onFailed: () => void;
};

/** Returns false if a picture of a drawn page could not be decoded: the renderer leaves its place empty. */
const isWhole = ({ objs }: LoadedPage) => [...objs].every(([, content]) => content !== null);

/** The picture of a page. Browsers release the memory of a removed canvas late: 7 MB on a phone. */
export function PageCanvas({ page, width, label, spare, onDrawn, onFailed }: PageCanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ onDrawn, onFailed });
  useEffect(() => {
    latest.current = { onDrawn, onFailed };
  });
  useEffect(() => {
    // A page whose file was closed cannot be drawn.
    if (!place.current || page.destroyed) return;
    const canvas = spare.pop() ?? document.createElement('canvas');
    const whole = page.getViewport({ scale: 1 });
    const scale = width / whole.width;
    const viewport = page.getViewport({ scale: scale * devicePixelRatio });
    const [across, down] = [Math.floor(viewport.width), Math.floor(viewport.height)];
    // Setting an equal size, too, replaces the memory.
    if (canvas.width !== across) canvas.width = across;
    if (canvas.height !== down) canvas.height = down;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${Math.floor(whole.height * scale)}px`;
    canvas.style.visibility = 'hidden';
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', label);
    place.current.append(canvas);
    // A context without `willReadFrequently`, which the renderer would choose, so that a GPU draws.
    if (!canvas.getContext('2d', { alpha: false })) {
      // The device has no memory for it.
      latest.current.onFailed();
      return () => canvas.remove();
    }
    let isBroken = false;
    const task = page.render({ canvas, viewport });
    task.promise.then(
      () => {
        canvas.style.visibility = '';
        latest.current.onDrawn(isWhole(page));
      },
      (error: unknown) => {
        if (error instanceof pdfjs.RenderingCancelledException || page.destroyed) return;
        isBroken = true;
        latest.current.onFailed();
      },
    );
    return () => {
      // The renderer does not release the canvas of a failed page.
      if (!isBroken) task.cancel();
      canvas.remove();
      if (spare.length === 0 && !isBroken) spare.push(canvas);
      // Releases its memory at once.
      else canvas.width = 0;
    };
  }, [page, width, label, spare]);
  return <div ref={place} />;
}
