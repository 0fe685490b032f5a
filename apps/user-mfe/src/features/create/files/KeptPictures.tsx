import type { PictureReason } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Notice, Row, Stack } from '@karaar/ui';
import { useState } from 'react';
import { PdfReader } from '../../reading/PdfReader.tsx';
import { verificationTexts } from '../../verification/texts.ts';
import css from '../create.module.css';
import { createTexts } from '../texts.ts';

/** A checked file of which pages would be sealed as pictures of what viewers show. */
export type PictureFile = {
  name: string;
  sha256: string;
  preview: string | null;
  pictures: readonly number[];
  reasons: readonly PictureReason[];
};

type KeptPicturesProps = {
  file: PictureFile;
  isAccepted: boolean;
  onAccept: () => void;
  /** The user would rather choose another file. */
  onRemove: () => void;
};

/** Asks about such pages: they are looked at, and accepted or the file goes. */
export default function KeptPictures({ file, isAccepted, onAccept, onRemove }: KeptPicturesProps) {
  const t = useTexts(createTexts);
  const [looking, setLooking] = useState(false);
  const about = { name: file.name, count: file.pictures.length, list: file.pictures.join(', ') };
  const look = t(isAccepted ? 'pictureLookAgain' : 'pictureLook');
  const decide = (act: () => void) => () => {
    setLooking(false);
    act();
  };
  return (
    <>
      <Notice
        tone={isAccepted ? 'info' : 'waiting'}
        action={
          <Button compact icon="eye" aria-label={`${look}: ${file.name}`} onClick={() => setLooking(true)}>
            {look}
          </Button>
        }
      >
        <strong>{t(isAccepted ? 'pictureAccepted' : 'pictureAsk', about)}</strong>
        {!isAccepted && <Why file={file} />}
      </Notice>
      {looking && (
        <Modal title={t('pictureTitle')} opened onClose={() => setLooking(false)} width={860}>
          <Stack gap={1.5}>
            <div>
              <h3 translate="no">{file.name}</h3>
              <Why file={file} />
            </div>
            <div className={css.pictures} role="region" aria-label={file.name} tabIndex={0} data-reading>
              {file.preview && (
                <PdfReader source={file.preview} name={file.name} zoom={1} only={file.pictures} />
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

/** Why, and what it means. */
function Why({ file }: { file: PictureFile }) {
  const t = useTexts(createTexts);
  const say = useTexts(verificationTexts);
  return (
    <p>
      {file.reasons.includes('missing') && <span>{say('pictureMissing')} </span>}
      {file.reasons.includes('different') && <span>{say('pictureDifferent')} </span>}
      <span>{t('pictureMeans')}</span>
    </p>
  );
}
