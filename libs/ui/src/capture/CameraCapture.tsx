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
  instruction: string;
  guide: 'face' | 'eye';
  /** Another name is another photo: restarts with the same camera. */
  fileName: string;
  /** JPEG quality, 0.85 by default. */
  quality?: number;
  checking?: boolean;
  /** The reason why the submitted photo was refused; shown next to the preview. */
  fault?: string | null;
  /** The photo could not be checked: the user can submit it again. */
  unchecked?: boolean;
  hint?: CaptureHint | null;
  /** Offers "Upload from device" with this size limit; without it only the camera gives photos. */
  upload?: { maxBytes: number };
  /**
   * Takes the photo when the picture is steady, and submits it after a short preview, unless the user has
   * switched that off. Without this option the photo is taken automatically only at the user's request, and
   * never submitted automatically.
   */
  automatic?: boolean;
  /** An alternative, shown if there is no camera. */
  elsewhere?: ReactNode;
  onSubmit: (photo: File, origin: PhotoOrigin) => void;
  /** Called on return to the live picture, to clear the fault. */
  onRetake?: () => void;
};

/** Live camera, one photo, a preview: Capture, then Retake or Submit Photo. Files only with `upload`. */
export default function CameraCapture(props: CameraCaptureProps) {
  const [settings, setSettings] = useState<Settings>(() => ({
    choice: { facing: 'user' },
    byItself: props.automatic === true && takesByItself(),
  }));
  return <OnePhoto key={props.fileName} {...props} settings={settings} onSettings={setSettings} />;
}

/** The camera, and whether the photo is taken automatically. */
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

/**
 * Returns the camera, and the photo once it is taken: by a press, or automatically when the picture is
 * steady.
 */
function usePhoto(props: OnePhotoProps, attempt: number) {
  const { guide, fileName, quality = PHOTO_QUALITY, checking, fault, automatic = false, onSubmit } = props;
  const { choice, byItself } = props.settings;
  const shown = useShown();
  const { photo } = shown;
  const camera = useCamera(photo === null, choice, attempt);
  const { video } = camera;
  const live = photo === null && camera.state.phase === 'live';
  const { advice, steady, sure } = useGuidance(video, live, guide);

  const capture = async (isByItself = false) => {
    if (!video.current) return;
    shown.show(await takePhoto(video.current, fileName, quality), 'camera', isByItself);
  };
  // By default a face must be found; a user who chose automatic photos decides the moment.
  const ready = automatic ? sure : steady;
  const countdown = useCountdown(live && byItself && ready, () => void capture(automatic));
  useSubmitByItself(photo, () => {
    if (photo && !checking && !fault) onSubmit(photo.file, photo.origin);
  });
  return { ...shown, camera, capture, countdown, advice: advice ?? (steady ? ('steady' as const) : null) };
}

/** Returns refs of the focusable parts; the focus moves to `next` when its element disappears. */
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
