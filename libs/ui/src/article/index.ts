export { Article } from './Article.tsx';
