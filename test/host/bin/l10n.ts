// npm run l10n: updates the files of translations, and prints the texts that have no translation yet, to be filled in there.
import { updateTranslations } from '../../support/translationFiles.js';

for (const [file, lines] of Object.entries(updateTranslations())) {
	if (lines.length > 0) {
		console.log(`${file}: ${lines.length} missing\n${lines.join('\n')}`);
	}
}
// The compiler that has read the sources would keep the process.
process.exit();
