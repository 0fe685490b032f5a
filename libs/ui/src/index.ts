/** The design system. Apps import its parts, never the component library behind it. */
export { Brand, Seal, Wordmark } from './brand/Brand.tsx';
export {
  CameraCapture,
  SignaturePad,
  takesByItself,
  type CaptureHint,
  type PhotoOrigin,
  type Signed,
  type SignMethod,
} from './capture/index.ts';
export { Button, IconButton, TextButton, type ButtonProps } from './controls/Button.tsx';
export {
  FieldFrame,
  fieldNotes,
  SelectField,
  TextArea,
  TextField,
  type FieldText,
} from './controls/Field.tsx';
export { FileButton } from './controls/FileButton.tsx';
export { FileDrop } from './controls/FileDrop.tsx';
export { CodeText } from './data/CodeText.tsx';
export { copyText } from './data/copy.ts';
export * from './data/format.ts';
export { Avatar, Person } from './data/Person.tsx';
export { Facts, Sheet } from './data/Sheet.tsx';
export { openFile, saveFile } from './data/save-file.ts';
export { Badge, StatusStamp, statusText, type Tone } from './data/Status.tsx';
export { useConfirm, type Question } from './feedback/Confirm.tsx';
export { LoadBoundary, MissingPart } from './feedback/LoadBoundary.tsx';
export { Modal } from './feedback/Modal.tsx';
export { missingChunk, reloadIfReplaced } from './feedback/stale-build.ts';
export { EmptyState, ErrorState, Banner, PageSkeleton, ProgressBar, Skeleton } from './feedback/States.tsx';
export { toast } from './feedback/toast.tsx';
export { Icon, type IconName } from './icons/Icon.tsx';
export { AppFrame, PublicFrame, ThemeSwitch } from './layout/Frame.tsx';
export { LanguageMenu } from './layout/LanguageMenu.tsx';
export { NavGroup, NavItem, NavOut, SideNav } from './layout/SideNav.tsx';
export { BottomBar, BottomLink } from './layout/BottomBar.tsx';
export { Columns, Page, Row, Stack, WithAside } from './layout/Page.tsx';
export { uiTexts } from './texts.ts';
export { partTexts } from './parts/texts.ts';
export { Menu, Tooltip, type MenuItem } from './overlays/index.tsx';
export { UiProvider, useTheme } from './UiProvider.tsx';
