import { useTexts } from '@karaar/i18n';
import { ErrorState, IconButton, Skeleton } from '@karaar/ui';
import { useEffect, useRef, useState } from 'react';
import { Document, Page } from 'react-pdf';
import type { LoadedPage } from '../../reading/PageWords.tsx';
import { inPlace, pdfOptions } from '../../reading/pdf.ts';
import css from '../detail.module.css';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** The maximum width of a page in pixels. */
const MAX_WIDTH = 820;

/** Shows a PDF page by page. Imports its renderer, so screens load it on demand. */
export default function PdfView({ source, label }: { source: string | Blob; label: string }) {
  const t = useTexts(detailTexts);
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pages, setPages] = useState(0);
  const [page, setPage] = useState(1);
  const [loaded, setLoaded] = useState<LoadedPage>();
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.min(entry?.contentRect.width ?? 0, MAX_WIDTH)),
    );
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  // The renderer keeps the decoded pictures of a page that was shown.
  useEffect(() => () => void loaded?.cleanup(), [loaded]);
  return (
    <div className={css.pdf} role="group" aria-label={label}>
      <div ref={frame} className={css.pdfFrame}>
        <Document
          file={source}
          options={pdfOptions}
          {...inPlace}
          onLoadSuccess={({ numPages }) => setPages(numPages)}
          loading={<Skeleton height={420} />}
          error={<ErrorState title={t('finalPdfFailed')} />}
        >
          {width > 0 && (
            <Page
              pageNumber={page}
              width={width}
              renderTextLayer={false}
              renderAnnotationLayer={false}
              onLoadSuccess={setLoaded}
              loading={<Skeleton height={420} />}
            />
          )}
        </Document>
      </div>
      {pages > 0 && (
        <div className={css.pdfBar}>
          <IconButton
            icon="arrowLeft"
            label={t('previousPage')}
            disabled={page <= 1}
            onClick={() => setPage(page - 1)}
          />
          <span className="k-num">{t('pdfPage', { page: page, total: pages })}</span>
          <IconButton
            icon="arrowRight"
            label={t('nextPage')}
            disabled={page >= pages}
            onClick={() => setPage(page + 1)}
          />
        </div>
      )}
    </div>
  );
}
