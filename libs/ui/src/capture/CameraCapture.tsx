import { useTexts } from '@karaar/i18n';
import { useRef, useState, type ReactNode } from 'react';
import { Banner } from '../feedback/States.tsx';
import { setByItself, takesByItself } from './by-itself.ts';
import { PHOTO_QUALITY, switched, type CameraChoice } from './camera.ts';
import { CameraOptions } from './CameraOptions.tsx';
import css from './capture.module.css';
import { LiveButtons, TakenButtons } from './CaptureButtons.tsx';
import type { CaptureHint } from './guidance/frame.ts';
import { useGuidance } from './guidance/useGuidance.ts';
import { DeviceUpload } from './DeviceUpload.tsx';
import { takePhoto, type PhotoOrigin } from './photo.ts';
import { captureTexts } from './texts.ts';
import { useCamera, type CameraState } from './useCamera.ts';
import { useCountdown } from './useCountdown.ts';
import { useKeptFocus } from './useKeptFocus.ts';
import { useShown, useSubmitByItself } from './useShown.ts';
import { Viewport } from './Viewport.tsx';

type CameraCaptureProps = {
  /** What to do, in a sentence. */
  instruction: string;
  /** The outline that helps to aim. */
  guide: 'face' | 'eye';
  /** Another name is another photo: it begins again, with the camera that was chosen for the one before. */
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
  /**
   * The photo is taken by itself when the picture is steady, and submitted by itself after a look at it, unless the
   * user has switched that off. Without this option it is taken by itself only when the user asks for that, and never
   * submitted by itself.
   */
  automatic?: boolean;
  /** Shown where no camera can be had: another way on. */
  elsewhere?: ReactNode;
  onSubmit: (photo: File, origin: PhotoOrigin) => void;
  /** Back to the live picture: the fault is history. */
  onRetake?: () => void;
};

/** Live camera, one photo, a look at it: Capture, then Retake or Submit Photo. A file choice only where `upload` says so. */
export default function CameraCapture(props: CameraCaptureProps) {
  const [settings, setSettings] = useState<Settings>(() => ({
    choice: { facing: 'user' },
    byItself: props.automatic === true && takesByItself(),
  }));
  return <OnePhoto key={props.fileName} {...props} settings={settings} onSettings={setSettings} />;
}

/** Which camera, and whether the photo is taken without a press. */
type Settings = { choice: CameraChoice; byItself: boolean };

type OnePhotoProps = CameraCaptureProps & { settings: Settings; onSettings: (settings: Settings) => void };

function OnePhoto(props: OnePhotoProps) {
  const { instruction, guide, fileName, quality = PHOTO_QUALITY, checking = false } = props;
  const { fault, unchecked = false, hint } = props;
  const { settings, onSettings, upload, automatic, elsewhere, onSubmit, onRetake } = props;
  const { choice, byItself } = settings;
  const t = useTexts(captureTexts);
  const [attempt, setAttempt] = useState(0);
  const { camera, photo, seen, show, drop, capture, countdown, advice } = usePhoto(props, attempt);
  const { state, cameras, opened } = camera;

  const canPress = photo ? !checking : state.phase !== 'starting';
  const { root, taken, main } = useFocus(canPress ? (photo && !fault ? 'taken' : 'main') : null);
  const retake = () => {
    drop();
    onRetake?.();
  };
  const switchByItself = (next: boolean) => {
    if (automatic) setByItself(next);
    onSettings({ choice, byItself: next });
  };

  return (
    <div className={css.capture} ref={root}>
      <p className={css.instruction}>{instruction}</p>
      <Viewport
        camera={camera}
        facing={opened?.facing ?? choice.facing}
        photo={photo}
        picture={taken}
        guide={guide}
        checking={checking}
        countdown={countdown}
        advice={advice && t(advice)}
      />
      {!photo && <CameraFailure state={state} elsewhere={elsewhere} />}
      {photo && fault && <PhotoFault fault={fault} hint={hint} />}
      {!photo && (
        <CameraOptions
          cameras={cameras}
          camera={opened?.id ?? choice.deviceId}
          onCamera={(deviceId) => onSettings({ byItself, choice: { facing: choice.facing, deviceId } })}
          byItself={byItself}
          onByItself={switchByItself}
        />
      )}
      <div className={css.buttons}>
        {photo ? (
          <TakenButtons
            main={main}
            bad={Boolean(fault) && !unchecked}
            seen={seen}
            checking={checking}
            onRetake={retake}
            onSubmit={() => onSubmit(photo.file, photo.origin)}
          />
        ) : (
          <LiveButtons
            main={main}
            phase={state.phase}
            onSwitch={() => onSettings({ byItself, choice: switched(choice, opened, cameras) })}
            onAgain={() => setAttempt(attempt + 1)}
            onCapture={() => void capture()}
          />
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

/** The camera, and the photo once it is taken: by a press, or by itself when the picture is steady. */
function usePhoto(props: OnePhotoProps, attempt: number) {
  const { guide, fileName, quality = PHOTO_QUALITY, checking, fault, automatic = false, onSubmit } = props;
  const { choice, byItself } = props.settings;
  const shown = useShown();
  const { photo } = shown;
  const camera = useCamera(photo === null, choice, attempt);
  const { video } = camera;
  const live = photo === null && camera.state.phase === 'live';
  const { advice, steady, sure } = useGuidance(video, live, guide === 'face');

  const capture = async (isByItself = false) => {
    if (!video.current) return;
    shown.show(await takePhoto(video.current, fileName, quality), 'camera', isByItself);
  };
  // Whoever asked for it decides when; by default it is the face that is found.
  const ready = automatic ? sure : steady;
  const countdown = useCountdown(live && byItself && ready, () => void capture(automatic));
  useSubmitByItself(photo, () => {
    if (photo && !checking && !fault) onSubmit(photo.file, photo.origin);
  });
  return { ...shown, camera, capture, countdown, advice: advice ?? (steady ? ('steady' as const) : null) };
}

/** The parts that can have the focus, which is handed on to `next` when the one that had it goes. */
function useFocus(next: 'taken' | 'main' | null) {
  const root = useRef<HTMLDivElement>(null);
  const taken = useRef<HTMLImageElement>(null);
  const main = useRef<HTMLButtonElement>(null);
  useKeptFocus(root, next && { taken, main }[next]);
  return { root, taken, main };
}

function CameraFailure({ state, elsewhere }: { state: CameraState; elsewhere: ReactNode }) {
  const t = useTexts(captureTexts);
  if (state.phase !== 'failed') return null;
  return (
    <>
      <div role="alert">
        <Banner tone="rejected">
          <p>{t(state.text)}</p>
          {state.help && <p>{t(state.help)}</p>}
        </Banner>
      </div>
      {elsewhere}
    </>
  );
}

function PhotoFault({ fault, hint }: { fault: string; hint: CaptureHint | null | undefined }) {
  const t = useTexts(captureTexts);
  return (
    <div role="alert">
      <Banner tone="rejected">
        <p>{fault}</p>
        {hint && <p>{t(hint)}</p>}
      </Banner>
    </div>
  );
}
