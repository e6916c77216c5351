// Holds JSON documents against a JSON Schema: node validate_json.cjs AJV_FOLDER SCHEMA < {"name": document, …}
// Prints {"name": [what is wrong, …], …}, an empty list for a document that fits.
const fs = require('fs');
const [ajvFolder, schemaFile] = process.argv.slice(2);
const Ajv = require(ajvFolder + '/dist/2020').default;
const validate = new Ajv({allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true})
    .compile(JSON.parse(fs.readFileSync(schemaFile, 'utf8')));
const verdicts = {};
for (const [name, document] of Object.entries(JSON.parse(fs.readFileSync(0, 'utf8')))) {
  validate(document);
  verdicts[name] = (validate.errors || []).map(error => `${error.instancePath || '/'} ${error.message}`);
}
console.log(JSON.stringify(verdicts));
