#include "git/pack_guard.h"

#include <dirent.h>
#include <git2/odb_backend.h>
#include <git2/sys/odb_backend.h>

#include <map>

#include "git/pack_file.h"

namespace knapsack {
namespace {

struct GuardedPacks {
  git_odb_backend parent;  // first, so that libgit2's pointer is ours
  git_odb_backend* packs;  // libgit2's own
  std::string folder;
  std::map<std::string, std::unique_ptr<PackFile>> files;  // by name; null for one that cannot be opened

  // The same moments at which libgit2 looks for packs: at the start and when an object is not found.
  void look_for_packs() {
    DIR* stream = ::opendir(folder.c_str());
    if (stream == nullptr) return;
    while (const dirent* entry = ::readdir(stream)) {
      const std::string name = entry->d_name;
      if (name.ends_with(".idx") && files.count(name) == 0) files[name] = PackFile::open(folder + "/" + name);
    }
    ::closedir(stream);
  }

  // 0 when libgit2 may read the object, whichever pack it takes it from.
  int check(const git_oid& id) {
    for (const auto& [name, file] : files) {
      if (file == nullptr) continue;
      const auto offset = file->find(id);
      const char* objection = offset ? file->objection(*offset) : nullptr;
      if (objection == nullptr) continue;
      git_error_set_str(GIT_ERROR_ODB, (std::string(objection) + " (" + name + ")").c_str());
      return GIT_ERROR;
    }
    return 0;
  }
};

GuardedPacks& guarded(git_odb_backend* backend) {
  return *reinterpret_cast<GuardedPacks*>(backend);
}

int read_packed(void** data, size_t* size, git_object_t* type, git_odb_backend* backend, const git_oid* id) {
  return without_exceptions([&] {
    auto& self = guarded(backend);
    const int error = self.check(*id);
    return error < 0 ? error : self.packs->read(data, size, type, self.packs, id);
  });
}

int read_packed_header(size_t* size, git_object_t* type, git_odb_backend* backend, const git_oid* id) {
  return without_exceptions([&] {
    auto& self = guarded(backend);
    const int error = self.check(*id);
    return error < 0 ? error : self.packs->read_header(size, type, self.packs, id);
  });
}

int exists_packed(git_odb_backend* backend, const git_oid* id) {
  auto& self = guarded(backend);
  return self.packs->exists(self.packs, id);
}

int exists_packed_prefix(git_oid* out, git_odb_backend* backend, const git_oid* id, size_t digits) {
  auto& self = guarded(backend);
  return self.packs->exists_prefix(out, self.packs, id, digits);
}

int read_packed_prefix(git_oid* out, void** data, size_t* size, git_object_t* type, git_odb_backend* backend,
                       const git_oid* id, size_t digits) {
  const int error = exists_packed_prefix(out, backend, id, digits);
  return error < 0 ? error : read_packed(data, size, type, backend, out);
}

int refresh_packs(git_odb_backend* backend) {
  return without_exceptions([&] {
    auto& self = guarded(backend);
    self.look_for_packs();
    return self.packs->refresh(self.packs);
  });
}

void release_packs(git_odb_backend* backend) {
  auto& self = guarded(backend);
  self.packs->free(self.packs);
  delete &self;
}

}  // namespace

git_odb_backend* make_guarded_pack_backend(const std::string& objects_folder) {
  git_odb_backend* packs = nullptr;
  if (git_odb_backend_pack(&packs, objects_folder.c_str()) < 0) return nullptr;
  auto* backend = new GuardedPacks{{}, packs, objects_folder + "/pack", {}};
  backend->look_for_packs();
  git_odb_init_backend(&backend->parent, GIT_ODB_BACKEND_VERSION);
  backend->parent.read = read_packed;
  backend->parent.read_header = read_packed_header;
  backend->parent.read_prefix = read_packed_prefix;
  backend->parent.exists = exists_packed;
  backend->parent.exists_prefix = exists_packed_prefix;
  backend->parent.refresh = refresh_packs;
  backend->parent.free = release_packs;
  return &backend->parent;
}

}  // namespace knapsack
