import { useTexts } from '@karaar/i18n';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Document } from 'react-pdf';
import { PagesPlace } from './PagesPlace.tsx';
import { PdfPage } from './PdfPage.tsx';
import { inPlace, pdfOptions } from './pdf.ts';
import css from './reading.module.css';
import { placeOf, Unreadable } from './Unreadable.tsx';
import { verificationTexts } from '../verification/texts.ts';

/** Height by width of a page until it is known: A4. */
const A4 = 297 / 210;

type PdfPagesProps = {
  /** A link, or the PDF itself. */
  source: string | Blob;
  name: string;
  /** The number of pages, for their room until they load; 1 if it is not known. */
  count?: number;
  /** The width of a page as a fraction of the available width. */
  zoom: number;
  /** The page numbers to show, from 1; all by default. */
  only?: readonly number[];
  /**
   * Renders the content below a page; if it has the page's words, the letters on the page are hidden from
   * screen readers.
   */
  below?: (page: number) => ReactNode;
};

/**
 * All pages of a PDF, one below the other. Only those near the view are drawn: a phone cannot hold hundreds.
 */
export default function PdfPages({ source, name, count, zoom, only, below }: PdfPagesProps) {
  const t = useTexts(verificationTexts);
  const link = useSteadySource(source);
  const frame = useRef<HTMLDivElement>(null);
  const [spare] = useState<HTMLCanvasElement[]>([]);
  const [width, setWidth] = useState(0);
  const [pages, setPages] = useState<{ count: number; shape: number } | null>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={frame}>
      <Document
        file={link}
        options={pdfOptions}
        {...inPlace}
        onLoadSuccess={(pdf) => {
          const open = (shape: number) => setPages({ count: pdf.numPages, shape });
          pdf.getPage(1).then(
            (first) => {
              const { width: across, height: down } = first.getViewport({ scale: 1 });
              open(down / across);
            },
            // An unreadable first page shows its fault in its place; the others are shown.
            () => open(A4),
          );
        }}
        loading={<PagesPlace pages={count} />}
        error={<Unreadable source={source} name={name} />}
      >
        {pages && width > 0 ? (
          <ol className={css.pages}>
            {numbers(pages.count, only).map((page) => (
              <PdfPage
                key={page}
                number={page}
                label={t('pageOf', { page, total: pages.count })}
                width={Math.floor(width * zoom)}
                shape={pages.shape}
                spoken={below !== undefined}
                spare={spare}
                fault={(onRetry) => <Unreadable source={source} name={name} page={page} onRetry={onRetry} />}
              >
                {below?.(page)}
              </PdfPage>
            ))}
          </ol>
        ) : (
          <PagesPlace pages={count} />
        )}
      </Document>
    </div>
  );
}

const numbers = (count: number, only: readonly number[] | undefined): number[] =>
  Array.from({ length: count }, (_, index) => index + 1).filter((page) => only?.includes(page) ?? true);

/** Keeps the first link to a file: links are signed again from time to time, but lead to the same content. */
function useSteadySource(source: string | Blob): string | Blob {
  const first = useRef(source);
  if (placeOf(first.current) !== placeOf(source)) first.current = source;
  return first.current;
}
