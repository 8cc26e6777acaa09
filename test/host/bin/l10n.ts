// npm run l10n: puts every text that has no translation yet into the files of translations, to be filled in there.
import { completeTranslations } from '../../support/translationFiles.js';

completeTranslations();
// The compiler that has read the sources would keep the process.
process.exit();
