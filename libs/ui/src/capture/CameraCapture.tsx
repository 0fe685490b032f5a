import { useTexts } from '@karaar/i18n';
import { Fragment, useEffect, useRef, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { Notice } from '../feedback/States.tsx';
import { PHOTO_QUALITY, switched, type CameraChoice } from './camera.ts';
import { CameraOptions } from './CameraOptions.tsx';
import css from './capture.module.css';
import type { CaptureHint } from './guidance/frame.ts';
import { useGuidance } from './guidance/useGuidance.ts';
import { DeviceUpload } from './DeviceUpload.tsx';
import { takePhoto, type PhotoOrigin } from './photo.ts';
import { captureTexts } from './texts.ts';
import { useCamera } from './useCamera.ts';
import { COUNTDOWN_SECONDS, useCountdown } from './useCountdown.ts';
import { useKeptFocus } from './useKeptFocus.ts';
import { useSettled } from './useSettled.ts';

type CameraCaptureProps = {
  /** What to do, in a sentence. */
  instruction: string;
  /** The outline that helps to aim. */
  guide: 'face' | 'eye';
  /** Another name is another photo: it begins anew, with the camera that was chosen for the one before. */
  fileName: string;
  /** JPEG quality, 0.85 unless given. */
  quality?: number;
  /** The submitted photo is being checked. */
  checking?: boolean;
  /** Why the submitted photo was not taken; shown beside the preview. */
  fault?: string | null;
  /** The fault is not the photo's: it could not be checked, and to submit it once more is the way on. */
  unchecked?: boolean;
  /** What to do better, where that is known. */
  hint?: CaptureHint | null;
  /** Offers "Upload from device" for files of at most so many bytes; without it only the camera gives photos. */
  upload?: { maxBytes: number };
  onSubmit: (photo: File, origin: PhotoOrigin) => void;
  /** Back to the live picture: the fault is history. */
  onRetake?: () => void;
};

/** Live camera, one photo, a look at it: Capture, then Retake or Submit Photo. A file choice only where `upload` says so. */
export default function CameraCapture(props: CameraCaptureProps) {
  const [settings, setSettings] = useState<Settings>({ choice: { facing: 'user' }, byItself: false });
  return <OnePhoto key={props.fileName} {...props} settings={settings} onSettings={setSettings} />;
}

/** Which camera, and whether the photo is taken without a press. */
type Settings = { choice: CameraChoice; byItself: boolean };

/** Milliseconds in which a new photo cannot be submitted: the second half of a double click on Capture is not meant for it. */
const LOOK_MS = 400;
/** Milliseconds for which advice stands before it is read out. */
const SPOKEN_AFTER_MS = 1_000;

/** The photo that is looked at. */
type Shown = { file: File; url: string; origin: PhotoOrigin };

type OnePhotoProps = CameraCaptureProps & { settings: Settings; onSettings: (settings: Settings) => void };

function OnePhoto(props: OnePhotoProps) {
  const { instruction, guide, fileName, quality = PHOTO_QUALITY, checking = false } = props;
  const { fault, unchecked = false, hint } = props;
  const { settings, onSettings, upload, onSubmit, onRetake } = props;
  const { choice, byItself } = settings;
  const t = useTexts(captureTexts);
  const [attempt, setAttempt] = useState(0);
  const [photo, setPhoto] = useState<Shown | null>(null);
  const [seen, setSeen] = useState(false);
  const { video, state, cameras, opened } = useCamera(photo === null, choice, attempt);
  const live = photo === null && state.phase === 'live';
  const { advice, steady } = useGuidance(video, live, guide === 'face');
  useEffect(() => {
    setSeen(false);
    if (!photo) return;
    const timer = setTimeout(() => setSeen(true), LOOK_MS);
    return () => {
      clearTimeout(timer);
      URL.revokeObjectURL(photo.url);
    };
  }, [photo]);

  const show = (file: File, origin: PhotoOrigin) =>
    setPhoto({ file, url: URL.createObjectURL(file), origin });
  const capture = async () => {
    if (!video.current) return;
    show(await takePhoto(video.current, fileName, quality), 'camera');
  };
  const countdown = useCountdown(live && byItself && steady, () => void capture());
  const retake = () => {
    setPhoto(null);
    onRetake?.();
  };

  const bad = Boolean(fault) && !unchecked;
  const root = useRef<HTMLDivElement>(null);
  const taken = useRef<HTMLImageElement>(null);
  const main = useRef<HTMLButtonElement>(null);
  const canPress = photo ? !checking : state.phase !== 'starting';
  useKeptFocus(root, canPress ? (photo && !fault ? taken : main) : null);

  const adviceText = advice ? t(advice) : steady ? t('steady') : '';
  const takingIn = (seconds: number) => t('takingIn', { seconds });
  const counting = countdown !== null && countdown > 0;
  // The count is read out once, not each second.
  const seenAs = photo?.origin === 'device' ? t('chosen') : t('taken');
  const atOnce = photo ? seenAs : countdown !== null && takingIn(COUNTDOWN_SECONDS);
  const said = useSettled(
    checking ? t('checking') : atOnce || adviceText,
    atOnce && !checking ? 0 : SPOKEN_AFTER_MS,
  );

  return (
    <div className={css.capture} ref={root}>
      <p className={css.instruction}>{instruction}</p>
      <div className={css.viewport} data-guide={photo ? undefined : guide}>
        {photo ? (
          <img src={photo.url} alt={seenAs} className={css.photo} ref={taken} tabIndex={-1} />
        ) : (
          <video
            ref={video}
            className={css.picture}
            data-mirrored={(opened?.facing ?? choice.facing) === 'user' || undefined}
            aria-label={t('live')}
            playsInline
            muted
          />
        )}
        {!photo && state.phase === 'starting' && <p className={css.over}>{t('starting')}</p>}
        {checking && said === t('checking') && <p className={css.over}>{said}</p>}
        {live && <Guide kind={guide} />}
        {live && counting && (
          <span className={css.countdown} aria-hidden="true">
            {countdown}
          </span>
        )}
        {live && (
          <p className={css.advice} aria-hidden="true">
            {counting ? takingIn(countdown) : adviceText}
          </p>
        )}
        <p className="k-hidden" role="status">
          {live || photo ? said : ''}
        </p>
      </div>
      {!photo && state.phase === 'failed' && (
        <div role="alert">
          <Notice tone="rejected">{t(state.text)}</Notice>
        </div>
      )}
      {photo && fault && (
        <div role="alert">
          <Notice tone="rejected">
            <p>{fault}</p>
            {hint && <p>{t(hint)}</p>}
          </Notice>
        </div>
      )}
      {!photo && (
        <CameraOptions
          cameras={cameras}
          camera={opened?.id ?? choice.deviceId}
          onCamera={(deviceId) => onSettings({ byItself, choice: { facing: choice.facing, deviceId } })}
          byItself={byItself}
          onByItself={(next) => onSettings({ choice, byItself: next })}
        />
      )}
      <div className={css.buttons}>
        {photo ? (
          <Fragment key="taken">
            <Button
              ref={bad ? main : undefined}
              variant={bad ? 'primary' : 'secondary'}
              icon="refresh"
              onClick={retake}
              disabled={checking || !seen}
            >
              {t('retake')}
            </Button>
            <Button
              ref={bad ? undefined : main}
              variant={bad ? 'secondary' : 'primary'}
              icon="tick"
              onClick={() => onSubmit(photo.file, photo.origin)}
              disabled={!seen}
              loading={checking}
            >
              {t('submit')}
            </Button>
          </Fragment>
        ) : (
          <Fragment key="live">
            <Button
              icon="switchCamera"
              onClick={() => onSettings({ byItself, choice: switched(choice, opened, cameras) })}
            >
              {t('switch')}
            </Button>
            {state.phase === 'failed' ? (
              <Button ref={main} variant="primary" icon="refresh" onClick={() => setAttempt(attempt + 1)}>
                {t('again')}
              </Button>
            ) : (
              <Button
                ref={main}
                variant="primary"
                icon="camera"
                onClick={() => void capture()}
                disabled={state.phase !== 'live'}
              >
                {t('capture')}
              </Button>
            )}
          </Fragment>
        )}
      </div>
      {!photo && upload && (
        <DeviceUpload
          maxBytes={upload.maxBytes}
          fileName={fileName}
          quality={quality}
          onPhoto={(file) => show(file, 'device')}
        />
      )}
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
