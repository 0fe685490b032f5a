import type { FileRefusal, Upload } from '@karaar/contracts/documents/http';
import type { UploadRow } from './uploads.repository.ts';
import type { SignPath } from '../../context.ts';

export const presentUpload = (upload: UploadRow, sign: SignPath): Upload => ({
  upload_id: upload.id,
  name: upload.name,
  size: upload.size,
  sha256: upload.sha256,
  state: upload.state,
  pages: upload.pages,
  pages_done: upload.pages_done,
  pictures: upload.pictures,
  picture_reasons: upload.picture_reasons,
  left_out: upload.left_out,
  preview: upload.preview_path && sign(upload.preview_path),
  thumbnail: upload.thumb_path && sign(upload.thumb_path),
  code: upload.fault === null ? null : (`file_${upload.fault}` as FileRefusal),
  detail: upload.reason,
  expires_at: upload.expires_at.toISOString(),
});
