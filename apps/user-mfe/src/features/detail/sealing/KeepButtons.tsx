import { toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, copyText, saveFile, toast } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { finalPdfQuery } from './final-pdf.ts';
import { shareOrCopy } from '../share.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

type KeepButtonsProps = {
  document: Document;
  /** True if saving is the next step. A page has one primary action. */
  primary?: boolean;
};

/** The actions on a sealed PDF: save, share, verify. */
export default function KeepButtons({ document, primary = false }: KeepButtonsProps) {
  const t = useTexts(detailTexts);
  const pdf = useQuery(finalPdfQuery(document.document_id));
  const verify = `/verify/${document.document_code}`;
  const download = () => {
    if (!pdf.data) return toast.error(toastText(pdf.error, t('finalPdfFailed')));
    saveFile(pdf.data, `${fileName(document.name)}.pdf`);
  };
  const share = async () => {
    const url = new URL(verify, location.origin).href;
    if ((await shareOrCopy({ title: document.name, url }, copyText)) === 'copied')
      toast.success(t('verifyCopied'));
  };
  return (
    <>
      <Button as={Link} to={verify} icon="shield">
        {t('nextVerify')}
      </Button>
      <Button icon="link" onClick={() => void share()}>
        {t('nextShare')}
      </Button>
      <Button
        variant={primary ? 'primary' : 'secondary'}
        icon="download"
        onClick={download}
        disabled={pdf.isPending}
      >
        {t('nextDownload')}
      </Button>
    </>
  );
}

const fileName = (name: string) => name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim() || 'document';
