import { useTexts } from '@karaar/i18n';
import { FileDrop, fileSize, TextButton, toast } from '@karaar/ui';
import { useObjectUrl } from '../useObjectUrl.ts';
import css from './id-image.module.css';
import { idImageFault, unshownFault } from './id-image.ts';
import { sharedTexts } from '../texts.ts';

/** The government ID image, dropped or chosen, checked at once, with a preview. */
export function IdImageField({
  image,
  error,
  onImage,
}: {
  image: File | null;
  error?: string | undefined;
  onImage: (image: File | null) => void;
}) {
  const t = useTexts(sharedTexts);
  const url = useObjectUrl(image);
  const choose = ([file]: File[]) => {
    const fault = file ? idImageFault(file) : null;
    if (fault) return toast.error(t(fault));
    if (file) onImage(file);
  };
  /** The browser cannot show the image: refused now, not after everything was sent. */
  const refuse = () => {
    onImage(null);
    if (image) toast.error(t(unshownFault(image)));
  };
  if (image && url) {
    return (
      <figure className={css.preview}>
        <img src={url} alt={t('idImagePreview')} onError={refuse} />
        <figcaption>
          <span className={css.fileName}>{image.name}</span>
          <span className="k-muted k-num">{fileSize(image.size)}</span>
          <TextButton onClick={() => onImage(null)}>{t('idImageReplace')}</TextButton>
        </figcaption>
      </figure>
    );
  }
  return (
    <FileDrop
      label={t('idImageLabel')}
      hint={t('idImageHint')}
      error={error}
      accept="image/*"
      name="govt_id_image"
      onFiles={choose}
    />
  );
}
