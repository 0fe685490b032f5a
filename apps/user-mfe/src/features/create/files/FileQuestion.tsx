import type { LeftOut, PictureReason } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Banner, Row, Stack } from '@karaar/ui';
import { useState } from 'react';
import { LeftOutParts } from '../../reading/LeftOutParts.tsx';
import { PdfReader } from '../../reading/PdfReader.tsx';
import { verificationTexts } from '../../verification/texts.ts';
import css from '../create.module.css';
import { createTexts } from '../texts.ts';

/** A checked file with pages that would be sealed as pictures, or with parts that are left out. */
export type QuestionedFile = {
  name: string;
  sha256: string;
  preview: string | null;
  pictures: readonly number[];
  reasons: readonly PictureReason[];
  leftOut: readonly LeftOut[];
};

type FileQuestionProps = {
  file: QuestionedFile;
  isAccepted: boolean;
  onAccept: () => void;
  onRemove: () => void;
};

/** Asks the user to accept the pages of such a file, or to remove it. */
export default function FileQuestion({ file, isAccepted, onAccept, onRemove }: FileQuestionProps) {
  const t = useTexts(createTexts);
  const [looking, setLooking] = useState(false);
  const { name, pictures } = file;
  const about = { name, count: pictures.length, list: pictures.join(', ') };
  const hasPictures = pictures.length > 0;
  const look = t(isAccepted ? 'pictureLookAgain' : 'pictureLook');
  const decide = (act: () => void) => () => {
    setLooking(false);
    act();
  };
  return (
    <>
      <Banner
        tone={isAccepted ? 'info' : 'waiting'}
        action={
          <Button compact icon="eye" aria-label={`${look}: ${name}`} onClick={() => setLooking(true)}>
            {look}
          </Button>
        }
      >
        {hasPictures && <strong>{t(isAccepted ? 'pictureAccepted' : 'pictureAsk', about)}</strong>}
        {hasPictures && !isAccepted && <Why file={file} />}
        {file.leftOut.length > 0 && (
          <>
            <strong>{t(isAccepted ? 'leftOutAccepted' : 'leftOutAsk', { name })}</strong>
            <p>
              <LeftOutParts parts={file.leftOut} />
            </p>
          </>
        )}
      </Banner>
      {looking && (
        <Modal
          title={t(hasPictures ? 'pictureTitle' : 'leftOutTitle')}
          opened
          onClose={() => setLooking(false)}
          width={860}
        >
          <Stack gap={1.5}>
            <div>
              <h3 translate="no">{name}</h3>
              {hasPictures && <Why file={file} />}
              {file.leftOut.length > 0 && (
                <p>
                  <LeftOutParts parts={file.leftOut} />
                </p>
              )}
            </div>
            <div className={css.pictures} role="region" aria-label={name} tabIndex={0} data-reading>
              {file.preview && (
                <PdfReader
                  source={file.preview}
                  name={name}
                  zoom={1}
                  {...(hasPictures ? { only: pictures } : {})}
                />
              )}
            </div>
            <Row justify="flex-end">
              <Button icon="trash" onClick={decide(onRemove)}>
                {t('pictureRemove')}
              </Button>
              <Button variant="primary" icon="check" onClick={decide(onAccept)}>
                {t('pictureKeep')}
              </Button>
            </Row>
          </Stack>
        </Modal>
      )}
    </>
  );
}

function Why({ file }: { file: QuestionedFile }) {
  const t = useTexts(createTexts);
  const say = useTexts(verificationTexts);
  return (
    <p>
      {file.reasons.includes('missing') && <span>{`${say('pictureMissing')} `}</span>}
      {file.reasons.includes('different') && <span>{`${say('pictureDifferent')} `}</span>}
      <span>{t('pictureMeans')}</span>
    </p>
  );
}
