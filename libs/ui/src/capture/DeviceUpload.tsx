import { useTexts } from '@karaar/i18n';
import { useState } from 'react';
import { FileButton } from '../controls/FileButton.tsx';
import { Banner } from '../feedback/States.tsx';
import css from './capture.module.css';
import { deviceFault, devicePhoto } from './photo.ts';
import { captureTexts } from './texts.ts';

const MB = 1024 * 1024;

type DeviceUploadProps = {
  /** The maximum size of a file in bytes. */
  maxBytes: number;
  fileName: string;
  quality: number;
  onPhoto: (photo: File) => void;
};

/** "Upload from device": an existing picture instead of a new photo. */
export function DeviceUpload({ maxBytes, fileName, quality, onPhoto }: DeviceUploadProps) {
  const t = useTexts(captureTexts);
  const [fault, setFault] = useState<ReturnType<typeof deviceFault> | 'signUploadFailed'>(null);
  const [reading, setReading] = useState(false);
  const take = async (file: File) => {
    const found = deviceFault(file, maxBytes);
    setFault(found);
    if (found) return;
    setReading(true);
    try {
      onPhoto(await devicePhoto(file, fileName, quality));
    } catch {
      setFault('signUploadFailed');
    } finally {
      setReading(false);
    }
  };
  return (
    <div className={css.fromDevice}>
      <FileButton
        accept="image/*"
        name="device-photo"
        variant="quiet"
        wide
        loading={reading}
        onFile={(file) => void take(file)}
      >
        {t('fromDevice')}
      </FileButton>
      {fault && (
        <div role="alert">
          <Banner tone="rejected">{t(fault, { max: Math.floor(maxBytes / MB) })}</Banner>
        </div>
      )}
    </div>
  );
}
