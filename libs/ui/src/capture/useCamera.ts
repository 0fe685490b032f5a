import { useEffect, useRef, useState, type RefObject } from 'react';
import {
  cameraFault,
  CameraLostError,
  FRAME_WAIT_MS,
  listCameras,
  lookAround,
  openCamera,
  openedCamera,
  PlaybackError,
  type CameraChoice,
  type CameraDevice,
  type CameraFault,
  type OpenedCamera,
} from './camera.ts';

export type CameraState = { phase: 'starting' | 'live' } | ({ phase: 'failed' } & CameraFault);

const stop = (stream: MediaStream | null) => stream?.getTracks().forEach((track) => track.stop());

function firstFrame(video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (video.videoWidth > 0 && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) resolve();
    };
    for (const event of ['loadeddata', 'playing', 'timeupdate'])
      video.addEventListener(event, look, { signal });
    look();
  });
}

/** @throws PlaybackError if the browser waits for a press: its own error looks like a refused camera */
async function play(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play();
  } catch (cause) {
    throw new PlaybackError('The live picture does not play', { cause });
  }
}

/** Returns true if the page is visible: a camera must not run in a hidden tab. */
function useInView(): boolean {
  const [inView, setInView] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => setInView(document.visibilityState === 'visible');
    // A page is hidden before it enters the back/forward cache.
    const leave = () => setInView(false);
    document.addEventListener('visibilitychange', look);
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', look);
    };
  }, []);
  return inView;
}

/**
 * Runs a camera on the video element while the part is shown, the page is visible and `active` is true.
 * @param attempt another number restarts the camera
 */
export function useCamera(
  active: boolean,
  { facing, deviceId }: CameraChoice,
  attempt: number,
): {
  video: RefObject<HTMLVideoElement | null>;
  state: CameraState;
  cameras: readonly CameraDevice[];
  opened: OpenedCamera | null;
} {
  const video = useRef<HTMLVideoElement | null>(null);
  const [state, setState] = useState<CameraState>({ phase: 'starting' });
  const [cameras, setCameras] = useState<readonly CameraDevice[]>([]);
  const [opened, setOpened] = useState<OpenedCamera | null>(null);
  const wanted = useInView() && active;
  useEffect(() => {
    if (!wanted) return;
    const left = new AbortController();
    const { signal } = left;
    let stream: MediaStream | null = null;
    const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
    const say = (next: CameraState) => {
      if (!signal.aborted) setState(next);
    };
    const fail = async (error: unknown) => {
      stop(stream);
      say({ phase: 'failed', ...cameraFault(error, await lookAround(window)) });
    };
    const start = async () => {
      say({ phase: 'starting' });
      const choice = deviceId === undefined ? { facing } : { facing, deviceId };
      stream = await openCamera(choice, mediaDevices, signal);
      const element = video.current;
      if (signal.aborted || !element) return stop(stream);
      const [track] = stream.getVideoTracks();
      // `ended` fires if the device is unplugged or taken away, not if we stop it.
      track?.addEventListener('ended', () => void fail(new CameraLostError('The camera ended')));
      element.srcObject = stream;
      // A slow camera is reported as failed, but shown once it delivers frames.
      const late = setTimeout(() => say({ phase: 'failed', text: 'noFrames' }), FRAME_WAIT_MS);
      signal.addEventListener('abort', () => clearTimeout(late));
      await Promise.all([play(element), firstFrame(element, signal)]).finally(() => clearTimeout(late));
      const found = await listCameras(mediaDevices);
      if (signal.aborted) return;
      setCameras(found);
      setOpened(track ? openedCamera(track) : null);
      setState({ phase: 'live' });
      // A call, another app or a switch mutes the camera: its last picture must not be taken for a live one.
      track?.addEventListener('mute', () => say({ phase: 'failed', text: 'muted' }));
      track?.addEventListener('unmute', () => say({ phase: 'live' }));
    };
    start().catch(fail);
    return () => {
      left.abort();
      stop(stream);
      // The video still shows an old frame, which must not be captured.
      setState({ phase: 'starting' });
    };
  }, [wanted, facing, deviceId, attempt]);
  return { video, state, cameras, opened };
}
