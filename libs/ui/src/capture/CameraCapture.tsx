import { useTexts } from '@karaar/i18n';
import { useEffect, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { SelectField } from '../controls/Field.tsx';
import { Notice } from '../feedback/States.tsx';
import { PHOTO_QUALITY, type CameraChoice } from './camera.ts';
import css from './capture.module.css';
import { useGuidance } from './guidance/useGuidance.ts';
import { takePhoto } from './photo.ts';
import { captureTexts } from './texts.ts';
import { useCamera } from './useCamera.ts';
import { useCountdown } from './useCountdown.ts';

type CameraCaptureProps = {
  /** What to do, in a sentence. */
  instruction: string;
  /** The outline that helps to aim. */
  guide: 'face' | 'eye';
  fileName: string;
  /** JPEG quality, 0.85 unless given. */
  quality?: number;
  /** The submitted photo is being checked. */
  checking?: boolean;
  /** Why the submitted photo was not taken; shown beside the preview. */
  fault?: string | null;
  onSubmit: (photo: File) => void;
  /** Back to the live picture: the fault is history. */
  onRetake?: () => void;
};

/** Live camera, one photo, a look at it: Capture, then Retake or Submit Photo. No file choice. */
export default function CameraCapture(props: CameraCaptureProps) {
  const {
    instruction,
    guide,
    fileName,
    quality = PHOTO_QUALITY,
    checking = false,
    fault,
    onSubmit,
    onRetake,
  } = props;
  const t = useTexts(captureTexts);
  const [choice, setChoice] = useState<CameraChoice>({ facing: 'user' });
  const [byItself, setByItself] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [photo, setPhoto] = useState<{ file: File; url: string } | null>(null);
  const { video, state, cameras } = useCamera(photo === null, choice, attempt);
  const live = photo === null && state.phase === 'live';
  const { advice, steady } = useGuidance(video, live, guide === 'face');
  useEffect(() => () => (photo ? URL.revokeObjectURL(photo.url) : undefined), [photo]);

  const capture = async () => {
    if (!video.current) return;
    const file = await takePhoto(video.current, fileName, quality);
    setPhoto({ file, url: URL.createObjectURL(file) });
  };
  const countdown = useCountdown(live && byItself && steady, () => void capture());
  const retake = () => {
    setPhoto(null);
    onRetake?.();
  };

  const adviceText = (): string => {
    if (advice) return t(advice);
    if (countdown !== null && countdown > 0) return t('takingIn', { seconds: countdown });
    return steady ? t('steady') : '';
  };

  return (
    <div className={css.capture}>
      <p className={css.instruction}>{instruction}</p>
      <div className={css.viewport} data-guide={photo ? undefined : guide}>
        {photo ? (
          <img src={photo.url} alt={t('taken')} className={css.picture} />
        ) : (
          <video
            ref={video}
            className={css.picture}
            data-mirrored={choice.facing === 'user' || undefined}
            aria-label={t('live')}
            playsInline
            muted
          />
        )}
        {!photo && state.phase === 'starting' && <p className={css.over}>{t('starting')}</p>}
        {live && <Guide kind={guide} />}
        {live && countdown !== null && countdown > 0 && (
          <span className={css.countdown} aria-hidden="true">
            {countdown}
          </span>
        )}
        {live && (
          <p className={css.advice} role="status">
            {adviceText()}
          </p>
        )}
      </div>
      {!photo && state.phase === 'failed' && (
        <div role="alert">
          <Notice tone="rejected">{t(state.text)}</Notice>
        </div>
      )}
      {photo && fault && (
        <div role="alert">
          <Notice tone="rejected">{fault}</Notice>
        </div>
      )}
      {!photo && (
        <div className={css.options}>
          {cameras.length > 2 && (
            <SelectField
              label={t('chooseCamera')}
              placeholder={t('chooseCamera')}
              options={cameras.map(({ id, name }, i) => ({
                value: id,
                label: name || t('cameraNumber', { number: i + 1 }),
              }))}
              value={choice.deviceId ?? cameras[0]?.id}
              onChange={(event) => setChoice({ facing: choice.facing, deviceId: event.target.value })}
            />
          )}
          <label className={css.byItself}>
            <input
              type="checkbox"
              checked={byItself}
              onChange={(event) => setByItself(event.target.checked)}
            />
            {t('byItself')}
          </label>
        </div>
      )}
      <div className={css.buttons}>
        {photo ? (
          <>
            <Button
              variant={fault ? 'primary' : 'secondary'}
              icon="refresh"
              onClick={retake}
              disabled={checking}
            >
              {t('retake')}
            </Button>
            <Button
              variant={fault ? 'secondary' : 'primary'}
              icon="tick"
              onClick={() => onSubmit(photo.file)}
              loading={checking}
            >
              {t('submit')}
            </Button>
          </>
        ) : (
          <>
            <Button
              icon="switchCamera"
              onClick={() => setChoice({ facing: choice.facing === 'user' ? 'environment' : 'user' })}
            >
              {t('switch')}
            </Button>
            {state.phase === 'failed' ? (
              <Button variant="primary" icon="refresh" onClick={() => setAttempt(attempt + 1)}>
                {t('again')}
              </Button>
            ) : (
              <Button
                variant="primary"
                icon="camera"
                onClick={() => void capture()}
                disabled={state.phase !== 'live'}
              >
                {t('capture')}
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  );
}

function Guide({ kind }: { kind: 'face' | 'eye' }) {
  return (
    <svg className={css.guide} viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {kind === 'face' ? (
        <ellipse cx="200" cy="148" rx="88" ry="116" />
      ) : (
        <path d="M90 150C130 96 165 82 200 82s70 14 110 68c-40 54-75 68-110 68s-70-14-110-68z" />
      )}
    </svg>
  );
}
