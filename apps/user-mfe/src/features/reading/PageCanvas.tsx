import { useEffect, useRef } from 'react';
import type { LoadedPage } from './PageWords.tsx';

type PageCanvasProps = {
  page: LoadedPage;
  width: number;
  label: string;
  /** The canvas of a page that left the view, for the next page. */
  spare: HTMLCanvasElement[];
  onDrawn: () => void;
};

/** The picture of a page. Browsers release the memory of a removed canvas late: 7 MB on a phone. */
export function PageCanvas({ page, width, label, spare, onDrawn }: PageCanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const done = useRef(onDrawn);
  useEffect(() => {
    done.current = onDrawn;
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
    canvas.getContext('2d', { alpha: false });
    const task = page.render({ canvas, viewport });
    task.promise.then(
      () => {
        canvas.style.visibility = '';
        done.current();
      },
      // The page left the view, or it is broken: its place stays white.
      () => undefined,
    );
    return () => {
      task.cancel();
      canvas.remove();
      if (spare.length === 0) spare.push(canvas);
      // Releases its memory at once.
      else canvas.width = 0;
    };
  }, [page, width, label, spare]);
  return <div ref={place} />;
}
