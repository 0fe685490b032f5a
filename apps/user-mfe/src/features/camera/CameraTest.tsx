import { Button, CameraCapture, fileSize, Notice, Row, Skeleton, Stack } from '@karaar/ui';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useObjectUrl } from '../../shared/useObjectUrl.ts';
import { useTitle } from '../../shared/useTitle.ts';
import css from './camera.module.css';
import { cameraTestTexts as texts } from './texts.ts';

/** JPEG quality on this page (spec §9). */
const QUALITY = 0.8;

/** A place to try the camera without an account. */
export default function CameraTest() {
  useTitle(texts.title);
  const [photo, setPhoto] = useState<File | null>(null);
  const url = useObjectUrl(photo);
  return (
    <div className={css.card}>
      <Stack>
        <h1>{texts.title}</h1>
        {photo && url ? (
          <>
            <Notice tone="verified">{texts.works}</Notice>
            <img className={css.photo} src={url} alt={texts.photo} />
            <p className="k-muted k-small k-num">
              {photo.name} · {fileSize(photo.size)}
            </p>
            <Row>
              <Button icon="refresh" onClick={() => setPhoto(null)}>
                {texts.again}
              </Button>
              <Button as={Link} to="/login" variant="primary">
                {texts.toLogin}
              </Button>
            </Row>
          </>
        ) : (
          <Suspense fallback={<Skeleton height={300} />}>
            <CameraCapture
              instruction={texts.lead}
              guide="face"
              fileName="profile_capture.jpg"
              quality={QUALITY}
              onSubmit={setPhoto}
            />
          </Suspense>
        )}
      </Stack>
    </div>
  );
}
