import { FileDrop, fileSize, TextButton, toast } from '@karaar/ui';
import { useObjectUrl } from './useObjectUrl.ts';
import css from './id-image.module.css';
import { idImageFault, idImageTexts as texts } from './id-image.ts';

/** The government ID image: dropped or chosen, checked at once, shown as it will be sent. */
export function IdImageField({
  image,
  onImage,
}: {
  image: File | null;
  onImage: (image: File | null) => void;
}) {
  const url = useObjectUrl(image);
  const choose = ([file]: File[]) => {
    const fault = file ? idImageFault(file) : null;
    if (fault) return toast.error(fault);
    if (file) onImage(file);
  };
  if (image && url) {
    return (
      <figure className={css.preview}>
        <img src={url} alt={texts.preview} />
        <figcaption>
          <span className={css.fileName}>{image.name}</span>
          <span className="k-muted k-num">{fileSize(image.size)}</span>
          <TextButton onClick={() => onImage(null)}>{texts.replace}</TextButton>
        </figcaption>
      </figure>
    );
  }
  return (
    <FileDrop label={texts.label} hint={texts.hint} accept="image/*" name="govt_id_image" onFiles={choose} />
  );
}
