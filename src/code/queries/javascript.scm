; JavaScript and JSX, on top of ecmascript.scm.
(field_definition
  property: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(field_definition property: (_) @name) @definition.field
(class_heritage (identifier) @reference.type)
(class_heritage
  (member_expression object: (_) @receiver property: (property_identifier) @reference.type))
(class_heritage (call_expression arguments: (arguments (identifier)* @reference.type)))
