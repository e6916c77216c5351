"""Names that frameworks find without imports: Rails' autoloading, associations and routes, Laravel's facades and routes,
Django's strings, Go's interfaces. Small repositories of our own with the shape of real ones.

    python3 frameworks.py PROGRAM
"""
import sys

from daily_use import Repository, expect, run_scenarios, shows


def repository(files):
    made = Repository()
    for name, text in files.items():
        made.write(name, text)
    made.commit()
    indexed = made.run("index")
    expect("indexed", indexed.returncode == 0, indexed.stderr)
    return made


RAILS = {
    "app/models/user.rb": "class User < ApplicationRecord\n  has_many :blog_posts\n  belongs_to :company\n\n"
                          "  def display_name\n    name.titleize\n  end\nend\n",
    "app/models/blog_post.rb": "class BlogPost < ApplicationRecord\n  def summary\n    body\n  end\nend\n",
    "app/models/company.rb": "class Company < ApplicationRecord\nend\n",
    "app/models/application_record.rb": "class ApplicationRecord < ActiveRecord::Base\nend\n",
    "app/controllers/users_controller.rb":
        "class UsersController < ApplicationController\n  def show\n    @user = User.find(params[:id])\n"
        "    @label = @user.display_name\n    @invoice = Billing::InvoiceMaker.new(@user).make\n  end\nend\n",
    "lib/billing.rb": "module Billing\n  autoload :InvoiceMaker, \"billing/invoice_maker\"\nend\n",
    "lib/billing/invoice_maker.rb": "module Billing\n  class InvoiceMaker\n    def make\n      1\n    end\n  end\nend\n",
    "config/routes.rb": "Rails.application.routes.draw do\n  get \"about\", to: \"users#show\"\nend\n",
}


def rails_names_are_found_without_a_require():
    made = repository(RAILS)
    shows(made.run("refs", "User"), "app/controllers/users_controller.rb:3")
    shows(made.run("refs", "User.display_name"), "users_controller.rb:4", "as @user.display_name", without=("as @user.User.",))
    shows(made.run("refs", "BlogPost"), "app/models/user.rb:2", "named in a text")
    shows(made.run("refs", "Company"), "app/models/user.rb:3")
    shows(made.run("refs", "UsersController.show"), "config/routes.rb:2", "named in a text")
    shows(made.run("deps", "lib/billing.rb"), "imports (1)\n  lib/billing/invoice_maker.rb")
    shows(made.run("deps", "users_controller.rb"), "uses by name", "app/models/user.rb", "lib/billing/invoice_maker.rb",
          without=("no imports", "imports nothing"))
    shows(made.run("deps", "app/models/user.rb"), "used by name in", "app/controllers/users_controller.rb", without=("no imports",))
    shows(made.run("deps", "app/models/application_record.rb"), "app/models/user.rb", without=("no imports",))


LARAVEL = {
    "composer.json": '{"autoload":{"psr-4":{"App\\\\":"app/"}}}\n',
    "app/Services/PaymentService.php": "<?php\nnamespace App\\Services;\nclass PaymentService {\n"
                                       "    public function charge(int $amount): bool {\n        return $amount > 0;\n    }\n}\n",
    "app/Facades/Payment.php": "<?php\nnamespace App\\Facades;\nuse Illuminate\\Support\\Facades\\Facade;\n"
                               "class Payment extends Facade {\n"
                               "    protected static function getFacadeAccessor() { return 'payment'; }\n}\n",
    "app/Http/Controllers/CheckoutController.php":
        "<?php\nnamespace App\\Http\\Controllers;\nuse App\\Facades\\Payment;\nclass CheckoutController {\n"
        "    public function store() {\n        return Payment::charge(100);\n    }\n"
        "    public function again() {\n        return app('payment')->charge(7);\n    }\n}\n",
    "routes/web.php": "<?php\nuse Illuminate\\Support\\Facades\\Route;\n"
                      "Route::post('/checkout', 'App\\Http\\Controllers\\CheckoutController@store');\n"
                      "Route::post('/again', [App\\Http\\Controllers\\CheckoutController::class, 'again']);\n",
}


def laravel_names_are_found_through_facades_and_routes():
    made = repository(LARAVEL)
    shows(made.run("refs", "PaymentService.charge"), "CheckoutController.php:6", "CheckoutController.php:9")
    shows(made.run("refs", "CheckoutController.store"), "routes/web.php:3", "named in a text")
    shows(made.run("refs", "CheckoutController.again"), "routes/web.php:4", "named in a text")
    shows(made.run("deps", "routes/web.php"), "app/Http/Controllers/CheckoutController.php", without=("no imports",))


DJANGO = {
    "shop/__init__.py": "",
    "shop/models.py": "from django.db import models\n\n\nclass Order(models.Model):\n    total = models.IntegerField()\n\n\n"
                      "class Line(models.Model):\n    order = models.ForeignKey(\"shop.Order\", on_delete=models.CASCADE)\n"
                      "    parent = models.ForeignKey(\"Line\", null=True, on_delete=models.CASCADE)\n",
    "shop/views.py": "def order_list(request):\n    return None\n",
    "shop/apps.py": "class ShopConfig:\n    name = \"shop\"\n",
    "shop/urls.py": "urlpatterns = [(\"orders\", \"shop.views.order_list\")]\n",
    "site/__init__.py": "",
    "site/settings.py": "INSTALLED_APPS = [\"django.contrib.admin\", \"shop.apps.ShopConfig\"]\n"
                        "MIDDLEWARE = [\"site.middleware.TimingMiddleware\"]\nNAME = \"index.html\"\n",
    "site/middleware.py": "class TimingMiddleware:\n    def __call__(self, request):\n        return request\n",
    "other/models.py": "class Order:\n    pass\n",
}


def django_names_are_found_in_strings():
    made = repository(DJANGO)
    shows(made.run("refs", "Order"), "shop/models.py:9", "→ shop/models.py Order", without=("→ other/models.py",))
    shows(made.run("refs", "Line"), "shop/models.py:10")
    shows(made.run("refs", "order_list"), "shop/urls.py:1")
    shows(made.run("refs", "ShopConfig"), "site/settings.py:1", "named in a text")
    shows(made.run("refs", "TimingMiddleware"), "site/settings.py:2")


GO = {
    "go.mod": "module example.com/x\n\ngo 1.21\n",
    "store/store.go": "package store\n\ntype Store interface {\n\tLookup(key string) string\n}\n\ntype SQLStore struct{}\n\n"
                      "func (s *SQLStore) Lookup(key string) string { return key }\n\ntype MemoryStore struct{}\n\n"
                      "func (m *MemoryStore) Lookup(key string) string { return key }\n",
    "api/api.go": "package api\n\nimport \"example.com/x/store\"\n\ntype Server struct {\n\tbackend store.Store\n}\n\n"
                  "func (s *Server) Handle(key string) string {\n\treturn s.backend.Lookup(key)\n}\n",
}


def a_call_of_an_interface_is_a_use_of_its_implementations():
    made = repository(GO)
    shows(made.run("refs", "Store.Lookup"), "api/api.go:10")
    shows(made.run("refs", "SQLStore.Lookup"), "api/api.go:10", "implements what is called")
    shows(made.run("refs", "MemoryStore.Lookup"), "api/api.go:10")


def main() -> int:
    return run_scenarios([rails_names_are_found_without_a_require, laravel_names_are_found_through_facades_and_routes,
                          django_names_are_found_in_strings, a_call_of_an_interface_is_a_use_of_its_implementations])


if __name__ == "__main__":
    sys.exit(main())
